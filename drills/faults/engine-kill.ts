import assert from "node:assert/strict";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CodexClient } from "codexwright";
import { realAppServer, reply, scriptedModel, type RealAppServer } from "@codexwright/testing";
import { deferred } from "../../packages/test-support/src/events.ts";
import { isGuard, killAll, processesOf } from "../../packages/test-support/src/world.ts";
import type { Drill } from "../lib/drill.ts";
import type { DrillRun } from "../lib/drill-run.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../programs/engine.js");
/** How often each thread is killed, before Codex resumes it. */
const KILLS_PER_THREAD = 10;
/** A kill comes at most this long after a turn began or ended. A turn takes about 10 ms. */
const LATEST_MS = 120;

/** Kills our own engine while it runs turns, and counts what Codex and the engine find afterwards. */
export const engineKill: Drill = {
  name: "engine-kill",
  fault: "kill -9 of the engine at a random moment",
  async run(run) {
    const kills = run.count({ small: 10, short: 200, long: 2_000 });
    const model = await scriptedModel(() => reply("by Codex"));
    const world = await realAppServer({ model });
    const found = { told: 0, unfinished: 0, torn: 0 };
    try {
      const engine = await wrapper(world);
      const told = new Map<string, readonly string[]>();
      for (let round = 0; round < kills / KILLS_PER_THREAD; round++) {
        const thread = await killed(run, world, engine, found);
        found.told += thread.told.length;
        told.set(thread.id, thread.told);
      }
      const files = await rolloutsOf(world);
      const threads = files.filter(({ text }) => text !== "");
      for (const { id } of threads) {
        await resumedOn(run, world, id, { name: "the engine", codexPath: engine });
        await resumedOn(run, world, id, { name: "Codex" });
        const input = JSON.stringify(model.requests.at(-1)?.input);
        for (const text of told.get(id) ?? [])
          assert.ok(input.includes(`"re ${text}"`), `Codex must have the answer to ${text}`);
      }
      const empty = files.length - threads.length;
      const begun = threads.filter(({ id }) => (told.get(id) ?? []).length === 0).length;
      await whole(world);
      run.fact(
        `${kills} kills of the engine: clients received the end of ${found.told} turns, and the engine and Codex have ` +
          `all of them. Both resumed all ${threads.length} threads that have a record; ${begun} of these have no ` +
          `completed turn. ${empty} files were empty. ${found.unfinished} turns read as interrupted, and ${found.torn} ` +
          `files ended in the middle of a line.`,
      );
    } finally {
      await world.close();
      await model.close();
    }
  },
};

interface Found {
  unfinished: number;
  torn: number;
}

/** Runs turns on one thread, and kills the engine again and again. Checks every turn whose end the client has received. */
async function killed(
  run: DrillRun,
  world: RealAppServer,
  engine: string,
  found: Found,
): Promise<{ id: string; told: string[] }> {
  const told: string[] = [];
  let id: string | undefined;
  for (let kill = 0; kill <= KILLS_PER_THREAD; kill++) {
    const codex = await CodexClient.connect({
      ...world.clientOptions,
      codexPath: engine,
    });
    try {
      const resumed = id !== undefined && told.length > 0;
      const thread = resumed ? await codex.resumeThread(id ?? "") : await codex.startThread();
      const unfinished = resumed ? await checked(codex, thread.id, told) : 0;
      id = thread.id;
      // The last time, only check.
      if (kill === KILLS_PER_THREAD) {
        found.unfinished += unfinished;
        break;
      }
      const after = run.random.below(LATEST_MS);
      const completed = deferred();
      const turns = (async () => {
        for (let n = 0; ; n++) {
          // The first turn of each round does not complete, so its thread has no completed turn.
          const text = `${kill === 0 ? "hang " : ""}${kill}.${n}.${thread.id.slice(-4)}`;
          await thread.run(text);
          told.push(text);
          completed.resolve();
        }
      })();
      const ended = turns.catch((error: unknown) => {
        completed.resolve();
        return error;
      });
      // Every other kill comes after a completed turn, however slow the machine is.
      if (kill % 2 === 1) await completed.promise;
      await delay(after);
      run.fault();
      killAll(processesOf(world.root).filter((pid) => !isGuard(pid)));
      run.saw("the turn", ((await ended) as Error).name);
      found.torn += await torn(world);
    } finally {
      await codex.disconnect();
    }
  }
  return { id: id ?? "", told };
}

async function checked(codex: CodexClient, threadId: string, told: readonly string[]): Promise<number> {
  const { data } = await codex.request("thread/turns/list", {
    threadId,
    itemsView: "full",
    sortDirection: "asc",
    limit: 10_000,
  });
  const complete = new Set(
    data
      .filter(({ status }) => status === "completed")
      .flatMap(({ items }) => items.flatMap((item) => (item.type === "agentMessage" ? [item.text] : []))),
  );
  for (const text of told) assert.ok(complete.has(`re ${text}`), `the engine must have the turn ${text}`);
  assert.ok(data.every(({ status }) => status !== "inProgress"));
  return data.filter(({ status }) => status === "interrupted").length;
}

interface Server {
  readonly name: string;
  readonly codexPath?: string;
}

/** Resumes a thread on a server of its own, and runs a turn. */
async function resumedOn(
  run: DrillRun,
  world: RealAppServer,
  id: string,
  { name, ...server }: Server,
): Promise<void> {
  run.fault();
  const codex = await CodexClient.connect({ ...world.clientOptions, ...server });
  try {
    const next = codex.resumeThread(id).then((thread) => thread.run("go on"));
    await run.works(`resume and a turn on ${name}`, next);
  } finally {
    await codex.disconnect();
  }
}

interface Rollout {
  /** The id of the thread, which the name of the file contains. */
  readonly id: string;
  readonly text: string;
}

async function rolloutsOf(world: RealAppServer): Promise<Rollout[]> {
  const folder = path.join(world.codexHome, "sessions");
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith(".jsonl"));
  return await Promise.all(
    files.map(async (file) => ({
      id: path.basename(file, ".jsonl").slice(-36),
      text: await readFile(path.join(folder, file), "utf8"),
    })),
  );
}

async function torn(world: RealAppServer): Promise<number> {
  return (await rolloutsOf(world)).filter(({ text }) => text !== "" && !text.endsWith("\n")).length;
}

/**
 * Checks that all files hold whole lines with positions without gaps. A file is empty if the engine was killed between
 * making it and writing to it. Codex and the engine find no thread in an empty file, whichever server has made it.
 */
async function whole(world: RealAppServer): Promise<void> {
  for (const { text } of await rolloutsOf(world)) {
    if (text === "") continue;
    const lines = text.trimEnd().split("\n");
    const ordinals = lines.map((line) => (JSON.parse(line) as { ordinal: number }).ordinal);
    assert.deepEqual(
      ordinals,
      ordinals.map((_, at) => at),
    );
  }
}

/** A program that the client starts as it would start Codex. */
async function wrapper(world: RealAppServer): Promise<string> {
  const file = path.join(world.root, "engine");
  await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  await chmod(file, 0o755);
  return file;
}
