import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";
import { DiffTracker, unifiedDiff } from "@codexwright/engine/internal";
import { nodePlatform } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";

/** Applies hunks to a text, and checks every line of them. */
function applied(before: string, hunks: string): string {
  const lines = before === "" ? [] : before.replace(/\n$/, "").split("\n");
  const result: string[] = [];
  let at = 0;
  for (const line of hunks.replace(/\n$/, "").split("\n")) {
    const [, start, count] = /^@@ -(\d+)(?:,(\d+))? /.exec(line) ?? [];
    if (start !== undefined) {
      const from = Number(start) - (count === "0" ? 0 : 1);
      while (at < from) result.push(lines[at++] ?? "");
      continue;
    }
    if (line[0] === "+") result.push(line.slice(1));
    else if (line !== "") {
      if (lines[at] !== line.slice(1)) throw new Error(`hunk does not match line ${at + 1}`);
      if (line[0] === " ") result.push(lines[at] ?? "");
      at++;
    }
  }
  return [...result, ...lines.slice(at)].map((line) => `${line}\n`).join("");
}

const LINES = fc.array(fc.constantFrom("a", "b", "c", "", " x", "-y"), { maxLength: 30 });
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

verifies(
  "engine.approvals.diff",
  "a diff turns one text into the other, for small and for large files",
  () => {
    const pairs = fc.sample(fc.tuple(LINES, LINES), { seed: 7, numRuns: 400 });
    for (const [a, b] of pairs) {
      if (a.length > 0 && a.join("") === "") continue;
      expect(applied(textOf(a), unifiedDiff(textOf(a), textOf(b), 3))).toBe(textOf(b));
    }
    const random = fc.sample(fc.array(fc.nat(5_000), { minLength: 40, maxLength: 40 }), {
      seed: 8,
      numRuns: 6,
    });
    const big = Array.from({ length: 5_000 }, (_, n) => `line ${n % 700}`);
    for (const places of random) {
      const changed = [...big];
      for (const [n, place] of places.entries()) {
        if (n % 3 === 0) changed.splice(place, 2);
        else changed.splice(place, n % 3 === 1 ? 0 : 1, `new ${n}`, "");
      }
      const diff = unifiedDiff(textOf(big), textOf(changed), 3);
      expect(applied(textOf(big), diff)).toBe(textOf(changed));
      expect(diff.split("\n").length).toBeLessThan(600);
    }
  },
);

verifies("engine.approvals.diff", "git applies the diff of a turn", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "diff-"));
  try {
    const file = (name: string): string => path.join(folder, name);
    const tracker = new DiffTracker(folder, nodePlatform());
    const long = Array.from({ length: 3_000 }, (_, n) => `${n}\n`);
    writeFileSync(file("long"), long.join(""));
    writeFileSync(file("gone"), "x\n");
    const now = [...long.slice(0, 10), "new\n", ...long.slice(10, 2_000), ...long.slice(2_100)].join("");
    tracker.changed(file("long"), long.join(""), "between\n");
    tracker.changed(file("long"), "between\n", now);
    tracker.changed(file("gone"), "x\n", undefined);
    tracker.changed(file("new"), undefined, "a\nb\n");
    tracker.changed(file("same"), "a\n", "b\n");
    tracker.changed(file("same"), "b\n", "a\n");
    execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: folder, input: tracker.diff() });
    expect(readFileSync(file("long"), "utf8")).toBe(now);
    expect(readFileSync(file("new"), "utf8")).toBe("a\nb\n");
    expect(existsSync(file("gone"))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

verifies(
  "security.s87",
  "the diff of a turn has a bounded size, and is computed once for each change",
  () => {
    const platform = nodePlatform();
    let hashed = 0;
    const digest: typeof platform.digest = (algorithm, text) => {
      hashed += text.length;
      return platform.digest(algorithm, text);
    };
    const tracker = new DiffTracker("/work", { ...platform, digest });
    const different = (n: number): string => `${n} ${"x".repeat(12_500)}\n`.repeat(200);
    for (let n = 0; n < 20; n++) tracker.changed(`/work/f${n}`, different(n), different(n + 1));
    expect(tracker.diff().length).toBeLessThan(5 * 1024 * 1024);
    expect(tracker.diff().split("diff --git").length).toBe(21);
    // Only the kept files were read, and each only once.
    expect(hashed).toBeLessThan(33 * 1024 * 1024);
    const before = hashed;
    for (let n = 0; n < 100; n++) tracker.diff();
    expect(hashed).toBe(before);
    const odd = new DiffTracker("/work", nodePlatform());
    odd.changed("/work/b", { bytes: new Uint8Array([0, 255]) }, "text\n");
    odd.changed("/work/l", { link: "/etc/passwd" }, undefined);
    odd.changed("/work/a\n+++ b/forged", undefined, "x\n");
    const text = odd.diff();
    expect(text).toContain("Binary files a/b and b/b differ");
    expect(text).toContain("-/etc/passwd");
    expect(text).not.toContain("\n+++ b/forged");
  },
);
