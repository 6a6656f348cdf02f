import { readdirSync, statSync, symlinkSync, writeFileSync, chmodSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import type { Tracker } from "@codexwright/orchestrator/tracker";
import { verifies } from "@codexwright/test-support/verifies";
import { type FolderWorld, folderWorld, NEVER, page } from "./folder-world.ts";

/** Calls the tool of an issue, as an agent does. */
async function update(
  world: FolderWorld,
  id: string,
  input: unknown,
  tracker: Tracker = world.tracker,
): Promise<unknown> {
  const issue = (await world.one(id)) ?? fail(id);
  const [tool] = tracker.tools(issue);
  const context = { threadId: "t", turnId: "u", callId: "c", signal: NEVER };
  return await tool?.run(input as never, context);
}

function fail(id: string): never {
  throw new Error(`there is no issue ${id}`);
}

const ODD = `\uFEFF---  \r
# The front matter of an odd file\r
"title":   'It''s odd'   # why\r
estimate: 0x1F\r
{nested}: &anchor [1,   2]\r
state:     todo      # the state\r
alias: *anchor\r
labels:\r
    - One\r
    -   "two"\r
---\r
\r
Text with --- and state: todo  \r
`;

verifies("fleet.tracker.folder.update", "the state changes and all other bytes stay", async () => {
  await using world = await folderWorld();
  const files = {
    ODD,
    FLOW: "---\n{ state: todo, title: T, x: [1] }\n---\n",
    QUOTED: page(`title: T\nstate: "to\\u0064o" # c\nz: 1`),
    SINGLE: page("title: T\nstate: 'todo'"),
    LAST: "---\ntitle: T\nstate: todo\n---",
    BLOCK: page("title: T\nstate: >-\n  todo\nz: 1", "b"),
  };
  for (const [id, text] of Object.entries(files)) {
    world.at.write(id, text);
    expect(await update(world, id, { state: "Human Review" })).toEqual({ state: "Human Review" });
    const changed = world.at.read(id);
    const [head = "", tail = ""] = changed.split("Human Review");
    expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
    expect(text.slice(head.length, text.length - tail.length).trim()).toMatch(
      /^(todo|"to\\u0064o"|'todo'|>-\n {2}todo)$/,
    );
    expect(await world.one(id)).toMatchObject({ state: "Human Review" });
  }
  expect(readdirSync(world.at.folder).filter((name) => name.startsWith("."))).toEqual([]);
});

verifies(
  "fleet.tracker.folder.update",
  "a state that cannot be replaced safely leaves the file as it is",
  async () => {
    await using world = await folderWorld();
    const text = page("title: &s todo\nstate: &t todo\nother: *t");
    world.at.write("A", text);
    await update(world, "A", { state: "done" }).then(
      // If it was replaced, then without another difference.
      () => expect(world.at.read("A")).toBe(text.replace("&t todo", "&t done")),
      (error: unknown) => {
        expect(error).toMatchObject({ code: "tracker_response" });
        expect(world.at.read("A")).toBe(text);
      },
    );
  },
);

verifies("fleet.tracker.folder.update", "a comment is appended and the file keeps its mode", async () => {
  await using world = await folderWorld();
  world.at.write("A", page("title: T\nstate: todo", "Text"));
  chmodSync(world.at.file("A"), 0o640);
  const before = world.at.read("A");
  await update(world, "A", { comment: "First\n\n---\n\nstate: done" });
  await update(world, "A", { state: "done", comment: "Second" });
  const after = world.at.read("A");
  expect(after.startsWith(before.replace("state: todo", "state: done"))).toBe(true);
  expect(after).toMatch(
    /Text\n\n---\n\nComment, 2\d{3}-.*Z:\n\nFirst\n\n---\n\nstate: done\n\n---\n\nComment, .*:\n\nSecond\n$/,
  );
  expect(statSync(world.at.file("A")).mode & 0o777).toBe(0o640);
});

verifies("security.s105", "no state or comment changes other fields or other files", async () => {
  await using world = await folderWorld();
  const text = page("title: T # t\nstate: todo\nlabels: [a]\npriority: 1", "Text\n");
  world.at.write("OTHER", text);
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.constantFrom(
      "done\ntitle: X",
      "done # x",
      "*a",
      "&a x",
      "!!int 1",
      "[a]",
      "{a: b}",
      "- a",
      "? x",
      "|",
      ">",
      "---",
      "null",
      "~",
      "true",
      "1",
      "0x1",
      "'",
      '"',
      "a: b",
      "a #b",
      "%YAML",
      "@x",
      "`x`",
      "done\u2028title: X",
      "done\r\ntitle: X",
    ),
  );
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (state, comment) => {
      world.at.write("A", text);
      const result: unknown = await update(world, "A", { state, comment }).catch((error: unknown) => error);
      if (result instanceof Error) {
        expect(result).toMatchObject({
          code: expect.stringMatching(/^(invalid_argument|tracker_response)$/),
        });
        expect(world.at.read("A")).toBe(text);
      } else {
        const issue = await world.one("A");
        expect(issue).toMatchObject({ title: "T", labels: ["a"], priority: 1, state: state.trim() });
        expect(issue?.description?.startsWith("Text")).toBe(true);
      }
      expect(world.at.read("OTHER")).toBe(text);
    }),
    { numRuns: 300 },
  );
});

verifies("security.s105", "the tool writes to a regular file of the folder only", async () => {
  await using world = await folderWorld();
  const id = await world.at.create({ title: "T", state: "todo" });
  const [tool] = world.tracker.tools((await world.one(id)) ?? fail(id));
  const context = { threadId: "t", turnId: "u", callId: "c", signal: NEVER };
  const outside = path.join(world.at.home, "outside");
  const text = page("title: T\nstate: todo");
  writeFileSync(outside, text);
  await world.at.remove(id);
  symlinkSync(outside, world.at.file(id));
  await expect(tool?.run({ state: "done" } as never, context)).rejects.toMatchObject({
    code: "tracker_request",
  });
  expect(readFileSync(outside, "utf8")).toBe(text);
  const issue = (await world.one(await world.at.create({ title: "T", state: "todo" }))) ?? fail("AB-2");
  const [escaping] = world.tracker.tools({ ...issue, id: "../outside" });
  await expect(escaping?.run({ state: "done" } as never, context)).rejects.toMatchObject({
    code: "tracker_response",
  });
  expect(readFileSync(outside, "utf8")).toBe(text);
});

verifies(
  "fleet.tracker.folder.update-whole",
  "updates at the same time are all kept, and readers see whole files",
  async () => {
    await using world = await folderWorld();
    const id = await world.at.create({ title: "T", state: "todo", description: "x".repeat(200_000) });
    const done = new AbortController();
    const read = (async () => {
      while (!done.signal.aborted) expect(await world.one(id)).toMatchObject({ title: "T" });
    })();
    const numbers = Array.from({ length: 30 }, (_, at) => at);
    await Promise.all(numbers.map((number) => update(world, id, { comment: `number ${number};` })));
    done.abort();
    await read;
    const text = world.at.read(id);
    for (const number of numbers) expect(text).toContain(`number ${number};`);
    expect(readdirSync(world.at.folder)).toEqual([`${id}.md`]);
  },
);

verifies("fleet.tracker.folder.update", "wrong input is refused and changes nothing", async () => {
  await using world = await folderWorld();
  const id = await world.at.create({ title: "T", state: "todo" });
  const before = world.at.read(id);
  for (const input of [{}, { state: " " }, { state: "a\nb" }, { comment: " " }, { comment: "a\0b" }])
    await expect(update(world, id, input)).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(update(world, id, { comment: "x".repeat(1 << 20) })).rejects.toMatchObject({
    code: "tracker_request",
  });
  expect(world.at.read(id)).toBe(before);
});
