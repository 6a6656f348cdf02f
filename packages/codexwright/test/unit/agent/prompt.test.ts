import { createSession, definePrompt, md, PromptRenderError, section, tool } from "codexwright/agent";
import { expect } from "vitest";
import { z } from "zod";
import { verifies } from "@codexwright/test-support/verifies";
import { AddStep, Plan, slices } from "./plan.ts";

const input = z.object({ repo: z.string(), focus: z.string().default("bugs") });

const leaf = section({ key: "leaf", title: "Leaf", body: "deep" });
const child = section({
  key: "child",
  title: " Child ",
  body: (p: { focus: string }) => `  ${p.focus}\n`,
  children: [leaf],
});
const parent = section({
  key: "parent",
  title: "Parent",
  body: (p: { repo: string }) => md`Review ${p.repo}.`,
  children: [child],
});
const last = section({ key: "last", title: "Summary" });

verifies(
  ["agent.prompt.headings", "agent.R27"],
  "renders sections depth first, with numbered headings that end with their paths",
  () => {
    const prompt = definePrompt({ id: "demo/review", input, sections: [parent, last] });
    const rendered = prompt.render({ repo: "x" });
    expect(rendered.text).toBe(
      [
        "## 1. Parent (parent)\n\nReview x.",
        "### 1.1. Child (parent.child)\n\nbugs",
        "#### 1.1.1. Leaf (parent.child.leaf)\n\ndeep",
        "## 2. Summary (last)",
      ].join("\n\n"),
    );
    expect(rendered.outline).toEqual([
      { path: "parent", number: "1", visibility: "full" },
      { path: "parent.child", number: "1.1", visibility: "full" },
      { path: "parent.child.leaf", number: "1.1.1", visibility: "full" },
      { path: "last", number: "2", visibility: "full" },
    ]);
    expect([rendered.tools, rendered.skills, rendered.policies]).toEqual([[], [], []]);
    expect(prompt.name).toBe("demo/review");
  },
);

verifies(
  "agent.prompt.enabled",
  "omits a disabled section with its children, and keeps the numbers of the others",
  () => {
    const asked: string[] = [];
    const inner = section({ key: "inner", title: "Inner", body: () => (asked.push("inner"), "") });
    const off = section({
      key: "off",
      title: "Off",
      enabled: (p: { repo: string }) => p.repo === "on",
      children: [inner],
    });
    const prompt = definePrompt({ id: "demo", input, sections: [off, last] });
    expect(prompt.render({ repo: "x" }).text).toBe("## 2. Summary (last)");
    expect(asked).toEqual([]);
    expect(prompt.render({ repo: "on" }).text).toBe(
      "## 1. Off (off)\n\n### 1.1. Inner (off.inner)\n\n## 2. Summary (last)",
    );
  },
);

verifies("agent.prompt.enabled", "sections can depend on the session", () => {
  const session = createSession({ slices });
  const steps = section({
    key: "steps",
    title: "Steps",
    enabled: (_, s) => s.get(Plan).steps.length > 0,
    body: (_, s) => s.get(Plan).steps.join("\n"),
  });
  const prompt = definePrompt({ id: "demo", sections: [steps, last] });
  expect(prompt.render({}, { session }).text).toBe("## 2. Summary (last)");
  session.dispatch(AddStep({ step: "read" }));
  expect(prompt.render({}, { session }).text).toBe("## 1. Steps (steps)\n\nread\n\n## 2. Summary (last)");
});

verifies("agent.prompt.input", "validates the input and applies its defaults", () => {
  const prompt = definePrompt({ id: "demo", input, sections: [child] });
  expect(prompt.render({ repo: "x", focus: "style" }).text).toContain("style");
  expect(() => prompt.render({ repo: 1 } as never)).toThrow(/input of prompt "demo" is invalid:\n- repo:/);
  const none = definePrompt({ id: "demo", sections: [last] });
  expect(() => none.render({ extra: 1 } as never)).toThrow("input of prompt");
});

verifies("agent.prompt.input", "names the section if one of its functions throws", () => {
  const bad = section({
    key: "bad",
    title: "Bad",
    body: () => {
      throw new Error("no data");
    },
  });
  const prompt = definePrompt({ id: "demo", sections: [section({ key: "a", title: "A", children: [bad] })] });
  expect(() => prompt.render({})).toThrow(PromptRenderError);
  expect(() => prompt.render({})).toThrow('the body of section "a.bad" could not be rendered: no data');
});

verifies("agent.prompt.md", "md removes the indentation of the code and leaves values unchanged", () => {
  // Uses another name, because formatters recognize `md` and would format its content.
  const tag = md;
  const value = "  cost: $5 ${x}\n    indented";
  expect(tag`one line`).toBe("one line");
  expect(
    tag`
      # Title

        - ${value}
      ${1} end
    `,
  ).toBe(`# Title\n\n  - ${value}\n1 end`);
  expect(tag`${"a"}${"b"}`).toBe("ab");
  expect(tag`first
    second
      third`).toBe("first\nsecond\n  third");
});

verifies("agent.prompt.examples", "shows examples of tools in their section, as calls", () => {
  const search = tool({
    name: "search",
    description: "Search things.",
    input: z.object({ q: z.string(), n: z.number() }),
    output: z.object({ hits: z.number() }),
    examples: [{ description: "basic", input: { q: "a", n: 3 }, output: { hits: 1 } }],
    run: () => ({ hits: 0 }),
  });
  const bare = tool({ name: "bare", description: "No examples.", input: z.object({}), run: () => "" });
  const rendered = tool({
    name: "rendered",
    description: "Rendered.",
    input: z.object({}),
    output: z.object({ list: z.array(z.string()).default(["x"]) }),
    render: ({ list }) => `- ${list.join("\n- ")}`,
    examples: [{ description: "two", input: {}, output: { list: ["é", "b"] } }],
    run: () => ({}),
  });
  const prompt = definePrompt({
    id: "demo",
    sections: [section({ key: "tools", title: "Tools", body: "Use them.", tools: [search, bare, rendered] })],
  });
  expect(prompt.render({}).text).toBe(
    [
      "## 1. Tools (tools)",
      "",
      "Use them.",
      "",
      "Tools:",
      "- search: Search things.",
      "  - search examples:",
      "    - description: basic",
      "      input:",
      "        ```json",
      '        {"q": "a", "n": 3}',
      "        ```",
      "      output:",
      "        ```",
      '        {"hits": 1}',
      "        ```",
      "- rendered: Rendered.",
      "  - rendered examples:",
      "    - description: two",
      "      input:",
      "        ```json",
      "        {}",
      "        ```",
      "      output:",
      "        ```",
      "        - é",
      "        - b",
      "        ```",
    ].join("\n"),
  );
});

verifies(["agent.R62", "agent.R30"], "the output may be an object, an array or a plain value", async () => {
  const sections = [last];
  const object = definePrompt({
    id: "a",
    sections,
    output: z.object({ title: z.string(), note: z.string().optional() }),
  });
  expect(object.answer?.jsonSchema).toMatchObject({
    type: "object",
    required: ["title", "note"],
    additionalProperties: false,
  });
  expect(await object.answer?.parse('{"title":"t","note":null}')).toEqual({
    ok: true,
    value: { title: "t" },
  });
  const list = definePrompt({ id: "a", sections, output: z.array(z.object({ file: z.string() })) });
  expect(list.answer?.jsonSchema).toMatchObject({ type: "object", required: ["items"] });
  expect(await list.answer?.parse('{"items":[{"file":"a"}]}')).toEqual({ ok: true, value: [{ file: "a" }] });
  expect(await list.answer?.parse('{"items":[{"file":1}]}')).toMatchObject({
    ok: false,
    issues: [{ path: "items[0].file" }],
  });
  const plain = definePrompt({ id: "a", sections, output: z.enum(["yes", "no"]) });
  expect(await plain.answer?.parse('{"value":"yes"}')).toEqual({ ok: true, value: "yes" });
  expect(await plain.answer?.parse('"maybe"')).toMatchObject({ ok: false, issues: [{ path: "value" }] });
  expect(() => definePrompt({ id: "a", sections, output: z.record(z.string(), z.number()) })).toThrow(
    "a record",
  );
  expect(definePrompt({ id: "a", sections }).answer).toBeUndefined();
});
verifies("agent.R62", "accepts an array or value that the model did not wrap", async () => {
  const sections = [section({ key: "a", title: "A" })];
  const File = z.object({ file: z.string(), line: z.number().optional() });
  const list = definePrompt({ id: "a", sections, output: z.array(File) });
  const value = [{ file: "a" }];
  for (const text of [
    '[{"file":"a","line":null}]',
    'These: [{"file":"a","line":null}].',
    '```json\n[{"file":"a"}]\n```\nThat is all.',
    '- [ ] todo\n- [x] done\n\n{"items":[{"file":"a"}]}',
  ]) {
    expect(await list.answer?.parse(text)).toEqual({ ok: true, value });
  }
  // None of these texts contains a whole array: a value alone, a truncated array, a wrapped value, two values.
  for (const text of [
    '{"file":"a"}',
    'So: [{"file":"a"},',
    '{"items":{"file":"a"}}',
    '{"file":"a"} {"file":"b"}',
  ]) {
    expect(await list.answer?.parse(text)).toMatchObject({ ok: false });
  }
  expect(await list.answer?.parse('[{"file":1}]')).toMatchObject({ issues: [{ path: "items[0].file" }] });
  const union = z.union([z.object({ value: z.number() }), z.object({ other: z.string() })]);
  const one = definePrompt({ id: "a", sections, output: union });
  for (const text of ['{"value":{"value":1}}', '{"value":1}', 'So {"value":1}!']) {
    expect(await one.answer?.parse(text)).toEqual({ ok: true, value: { value: 1 } });
  }
  const word = definePrompt({ id: "a", sections, output: z.enum(["yes", "no"]) });
  for (const text of ['"yes"', '{"value":"yes"}', '```\n"yes"\n```']) {
    expect(await word.answer?.parse(text)).toEqual({ ok: true, value: "yes" });
  }
});
