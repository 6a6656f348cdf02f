import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { FleetFolder } from "../fleet/folder.ts";
import type { Figures } from "../lib/sample.ts";

/** Until the times of new files are old enough to be trusted. */
const SETTLE_MS = 200;
/** The polls before one without a change. */
const EARLIER = 3;

/** Polls a folder of issues: cold, or again without a change. `raw` only reads the files, or only asks for their stats. */
export async function run(who: string, what: string, count: string): Promise<Figures> {
  using folder = new FleetFolder();
  folder.fill(Number(count));
  await delay(SETTLE_MS);
  const poll = who === "raw" ? raw(folder.issues, what) : await ours(folder.root);
  for (let earlier = what === "cold" ? 0 : EARLIER; earlier > 0; earlier--) await poll();
  const start = performance.now();
  const found = await poll();
  const pollMs = performance.now() - start;
  if (found !== Number(count)) throw new Error(`found ${found} of ${count} issues`);
  return { pollMs };
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
async function ours(root: string): Promise<() => Promise<number>> {
  const { folderKind } = await import("@codexwright/orchestrator/tracker");
  const states = { activeStates: ["todo"], terminalStates: ["done"] };
  const tracker = await folderKind.open({ ...states, provider: {}, folder: root, warn: () => {} });
  const never = new AbortController().signal;
  return async () => (await tracker.byStates(["todo", "done"], never)).length;
}
