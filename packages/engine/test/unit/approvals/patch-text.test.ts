import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { worldOf } from "./world.ts";

/** Applies an update to a file with this content. Returns the new content, or the output of a patch that failed. */
async function updated(before: string, update: string): Promise<string> {
  await using world = await worldOf();
  const file = path.join(world.work, "f");
  writeFileSync(file, before);
  const output = await world.patch(
    await world.start({ approvalPolicy: "never" }),
    `*** Update File: f\n${update}`,
  );
  const after = readFileSync(file, "utf8");
  if (output.includes("Success.")) return after;
  expect(after).toBe(before);
  return output;
}

const failed = "apply_patch verification failed: ";

verifies("engine.approvals.patch-codex", "finds lines exactly, then more and more leniently", async () => {
  const cases: readonly [before: string, update: string, after: string][] = [
    ["a\nb\n", "@@\n-b\n+c", "a\nc\n"],
    // The stricter way wins, even if it is further down.
    ["b  \nb\n", "@@\n-b\n+c", "b  \nc\n"],
    ["  b\nb \n", "@@\n-b\n+c", "  b\nc\n"],
    ["“b”\n  b\n", "@@\n-b\n+c", "“b”\nc\n"],
    ["it’s – “so”\u00A0!\n", '@@\n-it\'s - "so" !\n+c', "c\n"],
    // A line of context keeps what the file has.
    ["  x \nb\n", "@@\n x\n-b\n+c", "  x \nc\n"],
    // The last line of a file, and the empty line that models write for its end.
    ["b\na\nb", "@@\n-b\n+c\n*** End of File", "b\na\nc\n"],
    ["b\na\n", "@@\n-b\n+c\n*** End of File", `${failed}Failed to find expected lines in FILE:\nb`],
    ["a\nb\n", "@@\n a\n-b\n+c\n ", "a\nc\n"],
    ["a\n", "@@\n-a", ""],
    ["a\n", "+b", "a\nb\n"],
    // Line breaks stay as they are, and new lines get the first kind.
    ["a\r\nb\nc", "@@\n a\n+x\n b\n+y", "a\r\nx\r\nb\ny\r\nc\r\n"],
  ];
  for (const [before, update, after] of cases) {
    const result = await updated(before, update);
    expect([before, update, result.replace(/ in \/\S+:/, " in FILE:")]).toEqual([before, update, after]);
  }
});

verifies("engine.approvals.patch-anchors", "searches for several @@ lines, one after the other", async () => {
  const before = "class A\n  f\n    x\nclass B\n  f\n    x\n";
  expect(await updated(before, "@@ class B\n@@   f\n-    x\n+    y")).toBe(
    "class A\n  f\n    x\nclass B\n  f\n    y\n",
  );
  expect(await updated(before, "@@ class B\n@@ class A\n-    x\n+    y")).toContain(
    "Failed to find context 'class A'",
  );
  expect(await updated(before, "@@ class B\n@@   f")).toContain("Update hunk does not contain any lines");
});

verifies(
  "engine.approvals.patch-whole",
  "a folder can take the place of a file, and a failure restores the file",
  async () => {
    await using world = await worldOf();
    const at = (name: string): string => path.join(world.work, name);
    const thread = await world.start({ approvalPolicy: "never" });
    writeFileSync(at("a"), "one\n");
    const output = await world.patch(thread, "*** Delete File: a\n*** Add File: a/b\n+two");
    expect(output).toContain("A a/b\nD a\n");
    expect(readFileSync(at("a/b"), "utf8")).toBe("two\n");
    mkdirSync(at("folder"));
    writeFileSync(at("c"), "one\n");
    const refused = await world.patch(
      thread,
      "*** Delete File: c\n*** Add File: c/d\n+x\n*** Add File: folder\n+x",
    );
    expect(refused).toContain("is a folder");
    expect(readFileSync(at("c"), "utf8")).toBe("one\n");
    expect(existsSync(at("c/d"))).toBe(false);
    const empty = "*** Begin Patch\n*** End Patch";
    expect(await world.run(thread, "apply_patch", { input: empty })).toContain("No files were modified.");
  },
);
