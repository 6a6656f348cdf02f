import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Entry } from "./ledger.ts";
import { PARTS } from "./work.ts";

/** The number of entries that say that two agents worked on one issue at the same moment. */
export function twoAtOnce(entries: readonly Entry[]): number {
  const met = entries.filter(({ what, issue, note }) => what === "met" && note.split(" ").includes(issue));
  return met.length + entries.filter(({ what }) => what === "mixed").length + lateCommands(entries);
}

/** The number of commands that went on when the next agent of their issue had begun. */
function lateCommands(entries: readonly Entry[]): number {
  const current = new Map<string, number>();
  let late = 0;
  for (const { what, issue, pid } of entries) {
    if (what === "begin") current.delete(issue);
    else if (what === "command") current.set(issue, pid);
    else if (what === "committed" && current.get(issue) !== pid) late++;
  }
  return late;
}

/** The most agents that lived at the same moment. It can only grow when one begins. */
export function mostAtOnce(entries: readonly Entry[]): number {
  const met = entries.filter(({ what }) => what === "met");
  return Math.max(0, ...met.map(({ note }) => note.split(" ").filter(Boolean).length + 1));
}

/** Checks that each workspace is as its last commit says, and that this commit is of the last whole run alone. */
export function checkWorkspaces(folder: string, entries: readonly Entry[]): void {
  assert.deepEqual(
    entries.filter(({ what }) => what === "dirty"),
    [],
    "a workspace must be clean when a run begins",
  );
  for (const issue of readdirSync(folder).filter((name) => !name.startsWith("."))) {
    const workspace = path.join(folder, issue);
    const git = (...args: string[]): string =>
      execFileSync("git", ["-C", workspace, ...args], { encoding: "utf8" }).trim();
    assert.equal(git("status", "--porcelain"), "", `${issue} must be as its last commit says`);
    const committed = entries.filter((entry) => entry.what === "committed" && entry.issue === issue);
    const last = committed.at(-1)?.note.trim();
    assert.equal(git("log", "-1", "--format=%s"), `${PARTS} ${last}`, `the last commit of ${issue}`);
    const parts = Array.from({ length: PARTS }, (_, part) => [`${part + 1}.a`, `${part + 1}.b`]).flat();
    assert.deepEqual(readdirSync(workspace).toSorted(), [".git", ...parts], `the files of ${issue}`);
    for (const part of parts)
      assert.equal(readFileSync(path.join(workspace, part), "utf8").trim(), last, `${part} of ${issue}`);
    git("fsck", "--no-dangling", "--no-progress");
  }
}
