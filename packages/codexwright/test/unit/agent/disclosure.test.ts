import {
  createSession,
  definePrompt,
  section,
  SetVisibility,
  tool,
  VisibilitySlice,
  type Section,
} from "codexwright/agent";
import { expect } from "vitest";
import { z } from "zod";
import { verifies } from "@codexwright/test-support/verifies";
import { textOf, world } from "./tool-runner-world.ts";

const grep = tool({ name: "grep", description: "d", input: z.object({}), run: () => "" });

const docs = section({
  key: "docs",
  title: "Docs",
  body: "all the docs",
  summary: "Docs are there.",
  visibility: "summary",
  children: [
    section({ key: "api", title: "API", body: "the api" }),
    section({ key: "faq", title: "FAQ", body: "the faq", summary: "Questions.", visibility: "summary" }),
    section({ key: "off", title: "Off", enabled: () => false }),
  ],
});
const tools = section({
  key: "mid",
  title: "Mid",
  body: "with tools",
  summary: "Tools are there.",
  visibility: "summary",
  tools: [grep],
});
const nested = section({
  key: "nested",
  title: "Nested",
  body: "outer",
  summary: "More.",
  visibility: "summary",
  children: [section({ ...tools, tools: [{ ...grep, name: "find" }] })],
});
const plain = section({ key: "plain", title: "Plain", body: "plain" });

/** A prompt with these sections, its session, and a function to call its tools. */
function opened(...sections: readonly Section[]) {
  const prompt = definePrompt({ id: "demo/x", sections });
  const session = createSession({ slices: [] });
  const render = () => prompt.render({}, { session });
  const call = async (name: string, args: unknown) => {
    const { call: made, runner } = world(render().tools);
    const outcome = await made(name, args);
    return { outcome, text: textOf(outcome), expansion: runner.expansion };
  };
  return { session, render, call, prompt };
}

verifies(
  "agent.disclosure.summary",
  "a summarized section shows its summary and how to view the rest",
  () => {
    expect(opened(docs, tools, nested, plain).render().text).toBe(
      [
        "## 1. Docs (docs)\n\nDocs are there.\n\n---\n" +
          '[This section is summarized. Call `read_section` with key "docs" to view full content including subsections: api, faq.]',
        "## 2. Mid (mid)\n\nTools are there.\n\n---\n" +
          '[This section is summarized. To view full content, call `open_sections` with key "mid".]',
        "## 3. Nested (nested)\n\nMore.\n\n---\n" +
          '[This section is summarized. Call `open_sections` with key "nested" to view full content including subsections: mid.]',
        "## 4. Plain (plain)\n\nplain",
      ].join("\n\n"),
    );
  },
);

verifies(
  "agent.disclosure.tools",
  "adds the tools that view summarized sections at the end of the list, and only if a section needs them",
  () => {
    const names = (...sections: readonly Section[]): string[] =>
      opened(...sections)
        .render()
        .tools.map(({ name }) => name);
    expect(names(plain)).toEqual([]);
    expect(names(docs)).toEqual(["read_section"]);
    expect(names(tools)).toEqual(["open_sections"]);
    const shown = section({ key: "shown", title: "Shown", tools: [{ ...grep, name: "other" }] });
    expect(names(docs, tools, shown)).toEqual(["other", "open_sections", "read_section"]);
    const [open] = opened(tools).render().tools;
    expect(open?.description).toBe("Expand summarized sections to view their full content.");
  },
);

verifies(
  "agent.disclosure.visibility",
  "an explicit override takes precedence over the session, and the session takes precedence over the section",
  () => {
    const { session, render, prompt } = opened(tools, plain);
    const seen = (): unknown => render().outline.map(({ visibility }) => visibility);
    expect(seen()).toEqual(["summary", "full"]);
    session.dispatch(SetVisibility({ promptId: "demo/x", sections: { mid: "full" } }));
    session.dispatch(SetVisibility({ promptId: "demo/other", sections: { mid: "summary" } }));
    expect(seen()).toEqual(["full", "full"]);
    expect(render().tools.map(({ name }) => name)).toEqual(["grep"]);
    expect(prompt.render({}, { session, visibility: { mid: "summary" } }).outline[0]?.visibility).toBe(
      "summary",
    );
    expect(() => prompt.render({}, { visibility: { plain: "summary" } })).toThrow('section "plain"');
    session.dispatch(SetVisibility({ promptId: "demo/x", sections: { mid: null } }));
    expect(seen()).toEqual(["summary", "full"]);
    expect(session.get(VisibilitySlice)["demo/x"]).toEqual({});
  },
);

verifies(
  "agent.disclosure.visibility",
  "a selector can compute the visibility from input and session",
  () => {
    const picky = section({
      key: "picky",
      title: "Picky",
      summary: "s",
      visibility: (p: { brief: boolean }) => (p.brief ? "summary" : "full"),
    });
    const prompt = definePrompt({ id: "demo", input: z.object({ brief: z.boolean() }), sections: [picky] });
    expect(prompt.render({ brief: true }).outline[0]?.visibility).toBe("summary");
    expect(prompt.render({ brief: false }).outline[0]?.visibility).toBe("full");
  },
);

verifies(
  ["agent.R73", "agent.disclosure.open"],
  "open_sections succeeds and reports to the run which sections to expand",
  async () => {
    const { call } = opened(tools, plain);
    const { outcome, text, expansion } = await call("open_sections", {
      section_keys: ["mid", "plain"],
      reason: "need grep",
    });
    expect(outcome.reply.success).toBe(true);
    expect(outcome.event).toMatchObject({ name: "open_sections", ok: true });
    expect(text).toBe(
      "Sections expanded: mid, plain. The prompt will be re-rendered with the full content of the requested sections.",
    );
    expect(outcome.expansion).toEqual({ sections: ["mid"], reason: "need grep" });
    expect(expansion).toBe(outcome.expansion);
  },
);

verifies("agent.R73", "only the first request to expand counts", async () => {
  const { render } = opened(tools, nested);
  const { call, runner } = world(render().tools);
  const first = await call("open_sections", { section_keys: ["mid"], reason: "1" });
  const second = await call("open_sections", { section_keys: ["nested"], reason: "2" });
  expect([first.reply.success, second.reply.success]).toEqual([true, true]);
  expect([first.expansion, second.expansion]).toEqual([{ sections: ["mid"], reason: "1" }, undefined]);
  expect(runner.expansion?.reason).toBe("1");
});

verifies(
  "agent.disclosure.open",
  "opening a section also opens the summarized section around it",
  async () => {
    const { expansion } = await opened(nested).call("open_sections", {
      section_keys: ["nested.mid"],
      reason: "",
    });
    expect(expansion?.sections).toEqual(["nested", "nested.mid"]);
  },
);

verifies("agent.disclosure.open", "tells the model why a section cannot be opened", async () => {
  const { call } = opened(tools, plain, section({ key: "more", title: "More" }));
  const text = async (...keys: string[]): Promise<string> => {
    const { outcome, text: told } = await call("open_sections", { section_keys: keys, reason: "" });
    expect(outcome.event).toMatchObject({ ok: false, error: { kind: "failure" } });
    return told;
  };
  expect(await text()).toBe("At least one section key must be provided.");
  expect(await text("mid", "x")).toBe("Section 'x' does not exist in this prompt.");
  expect(await text("plain")).toBe("Section 'plain' is already expanded.");
  expect(await text("plain", "more")).toBe("All requested sections are already expanded: 'plain', 'more'");
});

verifies(
  "agent.disclosure.read",
  "read_section returns the full section, shows each child according to the child's own visibility, and changes nothing",
  async () => {
    const { call, render } = opened(docs, plain);
    const before = render().text;
    const { outcome, text } = await call("read_section", { section_key: "docs" });
    expect(outcome.reply.success).toBe(true);
    expect(text).toBe(
      [
        "## 1. Docs (docs)\n\nall the docs",
        "### 1.1. API (docs.api)\n\nthe api",
        "### 1.2. FAQ (docs.faq)\n\nQuestions.\n\n---\n" +
          '[This section is summarized. To view full content, call `read_section` with key "docs.faq".]',
      ].join("\n\n"),
    );
    expect((await call("read_section", { section_key: "docs.faq" })).text).toBe(
      "### 1.2. FAQ (docs.faq)\n\nthe faq",
    );
    expect(render().text).toBe(before);
  },
);

verifies("agent.disclosure.read", "tells the model why a section cannot be read", async () => {
  const { call } = opened(docs, plain);
  const text = async (key: string): Promise<string> =>
    (await call("read_section", { section_key: key })).text;
  expect(await text("nope")).toBe("Section 'nope' does not exist in this prompt.");
  expect(await text("docs.off")).toBe("Section 'docs.off' does not exist in this prompt.");
  expect(await text("plain")).toBe("Section 'plain' is not summarized.");
});
