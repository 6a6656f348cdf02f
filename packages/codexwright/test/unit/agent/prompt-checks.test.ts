import { definePrompt, filesExist, requires, section, tool, type Section } from "codexwright/agent";
import { expect } from "vitest";
import { z } from "zod";
import { verifies } from "@codexwright/test-support/verifies";

const make = (name: string, namespace?: string) =>
  tool({ name, namespace, description: "d", input: z.object({}), run: () => "" });

const withTools = (...tools: ReturnType<typeof make>[]): Section => section({ key: "s", title: "S", tools });

verifies("agent.prompt.checks", "rejects an invalid section with one error that lists all problems", () => {
  const twin = section({ key: "twin", title: "T" });
  for (const key of ["a.b", "", "Upper", "-a", "x".repeat(65)]) {
    expect(() => section({ key, title: "T" })).toThrow("must match");
  }
  expect(() => section({ key: "A", title: " ", visibility: "summary", children: [twin, twin] })).toThrow(
    /the key of section "A" .*\nthe title of section "A" must be .*\nsection "A" must have a summary, .*\nthe keys of the children of section "A" must be unique: "twin" is used twice/,
  );
});

verifies("agent.prompt.checks", "also reports problems at run time that the compiler would find", () => {
  const untyped = section as (options: object) => unknown;
  expect(() => untyped({ title: "T" })).toThrow("the key of section undefined");
  expect(() => untyped({ key: "a" })).toThrow('the title of section "a" must be one non-empty line');
  for (const sections of [undefined, "text", [undefined], [{ key: "a", title: "A", body: "b" }]])
    expect(() => (definePrompt as (options: object) => unknown)({ id: "p", sections })).toThrow(
      "sections must be an array of sections created with section()",
    );
});

verifies("agent.prompt.checks", "rejects an invalid prompt with one error that lists all problems", () => {
  const define =
    (sections: readonly Section[], id = "demo") =>
    () =>
      definePrompt({ id, sections });
  expect(define([withTools()], "Bad Id")).toThrow('the id of prompt "Bad Id"');
  expect(define([])).toThrow("a prompt must have at least one section");
  expect(define([withTools(), withTools()])).toThrow('section keys must be unique: "s" is used twice');
  expect(define([withTools(make("a"), make("a"))])).toThrow('two tools are named "a"');
  expect(define([withTools(make("a"), make("a", "app"))])).not.toThrow();
});

verifies(
  ["agent.R63", "agent.tools.reserved"],
  "rejects reserved tool names, unless the tool is in a namespace",
  () => {
    const define = (name: string, namespace?: string) => () =>
      definePrompt({ id: "demo", sections: [withTools(make(name, namespace))] });
    for (const name of [
      "exec_command",
      "apply_patch",
      "web_search",
      "mcp__x",
      "open_sections",
      "read_section",
    ]) {
      expect(define(name)).toThrow(/name|named/);
    }
    expect(define("exec_command", "app")).not.toThrow();
    expect(define("open_sections", "app")).not.toThrow();
  },
);

verifies(
  "agent.prompt.checks",
  "rejects policies for tools that no section has, and examples that do not match the schemas",
  () => {
    expect(() =>
      definePrompt({
        id: "demo",
        sections: [withTools(make("deploy"))],
        policies: [requires("deploy", ["test"])],
      }),
    ).toThrow("policy requires(deploy) needs the tool test, but no section has it");
    const bad = tool({
      name: "bad",
      description: "d",
      input: z.object({ n: z.number() }),
      examples: [{ description: "x", input: { n: "1" } as never, output: "" }],
      run: () => "",
    });
    expect(() => definePrompt({ id: "demo", sections: [withTools(bad)] })).toThrow(
      /the input of an example of tool "bad" is invalid:\n- n:/,
    );
  },
);

verifies(
  "agent.prompt.collected",
  "collects tools, policies and skills from the sections that are shown in full, in order",
  () => {
    const policy = requires("b", ["a"]);
    const sections = [
      section({
        key: "one",
        title: "1",
        tools: [make("a")],
        skills: ["./skills/cr"],
        children: [withTools(make("b"))],
      }),
      section({
        key: "two",
        title: "2",
        tools: [make("c")],
        policies: [policy],
        enabled: (p: { two: boolean }) => p.two,
        skills: ["./skills/cr"],
      }),
    ];
    const prompt = definePrompt({ id: "demo", input: z.object({ two: z.boolean() }), sections });
    const names = (two: boolean): string[] => prompt.render({ two }).tools.map(({ name }) => name);
    expect(names(false)).toEqual(["a", "b"]);
    expect(names(true)).toEqual(["a", "b", "c"]);
    expect(prompt.render({ two: false }).policies).toEqual([]);
    expect(prompt.render({ two: true })).toMatchObject({ policies: [policy], skills: ["./skills/cr"] });
  },
);

verifies("agent.prompt.completion", "a completion check returns what is missing", async () => {
  const there = new Set(["a.md"]);
  const context = {
    session: { get: () => undefined as never },
    text: "",
    exists: async (path: string) => Promise.resolve(there.has(path)),
    round: 1,
    signal: new AbortController().signal,
  };
  const check = filesExist("a.md", "report.md");
  expect(await check(context)).toBe("The work is not complete: report.md does not exist yet. Go on.");
  there.add("report.md");
  expect(await check(context)).toBeUndefined();
});
