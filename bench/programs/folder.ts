import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Figures } from "../lib/sample.ts";

/** Until the times of new files are old enough to be trusted. */
const SETTLE_MS = 200;
/** The polls before one without a change. */
const EARLIER = 3;

/** Polls a folder of issues: cold, or again without a change. `raw` only reads the files, or only asks for their stats. */
export async function run(who: string, what: string, count: string): Promise<Figures> {
  const home = mkdtempSync(path.join(tmpdir(), "bench-folder-"));
  try {
    const folder = path.join(home, "issues");
    mkdirSync(folder);
    for (let number = 0; number < Number(count); number++)
      writeFileSync(path.join(folder, `AB-${number}.md`), issueText(number, Number(count)));
    await delay(SETTLE_MS);
    const poll = who === "raw" ? raw(folder, what) : await ours(home);
    for (let earlier = what === "cold" ? 0 : EARLIER; earlier > 0; earlier--) await poll();
    const start = performance.now();
    const found = await poll();
    const pollMs = performance.now() - start;
    if (found !== Number(count)) throw new Error(`found ${found} of ${count} issues`);
    return { pollMs };
  } finally {
    rmSync(home, { recursive: true });
  }
}

function raw(folder: string, what: string): () => Promise<number> {
  const look = (file: string): Promise<unknown> => (what === "cold" ? readFile(file) : lstat(file));
  return async () => {
    const names = await readdir(folder);
    await Promise.all(names.map((name) => look(path.join(folder, name))));
    return names.length;
  };
}

/** Loads the adapter before the measurement. */
async function ours(home: string): Promise<() => Promise<number>> {
  const { folderKind } = await import("@codexwright/orchestrator/tracker");
  const states = { activeStates: ["todo"], terminalStates: ["done"] };
  const tracker = await folderKind.open({ ...states, provider: {}, folder: home, warn: () => {} });
  const never = new AbortController().signal;
  return async () => (await tracker.byStates(["todo", "done"], never)).length;
}

function issueText(number: number, count: number): string {
  const front = [
    `title: Issue number ${number}`,
    `state: ${number % 3 ? "todo" : "done"}`,
    `priority: ${number % 5}`,
    "labels: [bug, parser]",
    `blocked_by: [AB-${(number * 3) % count}]`,
    "created_at: 2026-01-02T03:04:05Z",
  ];
  return `---\n${front.join("\n")}\n---\n\n${"A sentence of the description. ".repeat(40)}\n`;
}
