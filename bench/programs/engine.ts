import { readFileSync } from "node:fs";
import path from "node:path";
import { execFileSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { ROOT } from "../../scripts/steps.ts";
import type { Figures } from "../lib/sample.ts";
import { RARE } from "../real/large-home.ts";
import { Raw } from "../real/raw.ts";
import { HELLO, MANY, REPLY, textOf } from "../real/words.ts";
import { readWorld, type World } from "../real/world.ts";

const COMMAND = path.join(ROOT, "packages/cli/dist/codexwright.js");
/** How long a server has been idle when its memory is read. */
const IDLE_MS = 500;
/** How many threads a list shows. */
const PAGE = 50;
/** How often a list or a search is measured in one process. */
const REPEATS = 5;

type Task = (server: Raw, count: number) => Promise<Figures>;

const TASKS: Readonly<Record<string, Task>> = { start, firstDelta, deltas, memory, home };

/**
 * Runs one task on a server: on Codex (`codex`), or on the engine with this Node. The client is the same minimal one, so
 * that the difference is the server's.
 */
export async function run(server: string, file: string, task: string, count: string): Promise<Figures> {
  const measure = TASKS[task];
  if (!measure) throw new Error(`there is no task "${task}"`);
  const world = readWorld(file);
  const started: World = server === "codex" ? world : { ...world, codexPath: server, before: [COMMAND] };
  await using raw = new Raw(started);
  return await measure(raw, Number(count));
}

/** Measures the time from the start of the process to the answer to `initialize`. */
async function start(server: Raw): Promise<Figures> {
  const since = performance.now();
  await server.connect();
  return { startMs: performance.now() - since };
}

/** Measures the time from `turn/start` to the first delta; the first turn is not counted. */
async function firstDelta(server: Raw, count: number): Promise<Figures> {
  await server.connect();
  const thread = await server.startThread();
  await thread.run(HELLO);
  let firstDeltaMs = 0;
  let turnMs = 0;
  for (let n = 0; n < count; n++) {
    const since = performance.now();
    const answer = await thread.run(HELLO, () => (firstDeltaMs += performance.now() - since));
    turnMs += performance.now() - since;
    if (answer !== REPLY) throw new Error(`the answer was ${answer}`);
  }
  return { firstDeltaMs: firstDeltaMs / count, turnMs: turnMs / count };
}

/** Measures a turn with this many deltas, and the memory of the server after it. */
async function deltas(server: Raw, count: number): Promise<Figures> {
  await server.connect();
  const thread = await server.startThread();
  await thread.run(HELLO);
  const since = performance.now();
  let got = 0;
  const answer = await thread.run(`${MANY}${count}`, () => got++);
  const ms = performance.now() - since;
  if (answer !== textOf(count) || got !== count) throw new Error(`${got} of ${count} deltas arrived`);
  await delay(IDLE_MS);
  return { deltaUs: (ms / count) * 1_000, afterMb: megabytesOf(server.pid) };
}

/** Measures the memory of a server that has done nothing but the handshake. */
async function memory(server: Raw): Promise<Figures> {
  await server.connect();
  await delay(IDLE_MS);
  return { idleMb: megabytesOf(server.pid) };
}

/**
 * Measures a server in a home with many threads: from the start of the process to the first list, then lists and a
 * search. The count is the number of threads that the list has to show.
 */
async function home(server: Raw, count: number): Promise<Figures> {
  const since = performance.now();
  await server.connect();
  const list = async (): Promise<number> => {
    const { data } = (await server.ask("thread/list", { limit: PAGE })) as { data: readonly unknown[] };
    return data.length;
  };
  const expected = Math.min(count, PAGE);
  const listed = await list();
  const firstListMs = performance.now() - since;
  if (listed !== expected) throw new Error(`${listed} of ${expected} threads were listed`);
  const listMs = await fastest(list);
  const searchMs = await fastest(() => server.ask("thread/search", { searchTerm: RARE, limit: PAGE }));
  return { firstListMs, listMs, searchMs };
}

async function fastest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < REPEATS; n++) {
    const since = performance.now();
    await work();
    times.push(performance.now() - since);
  }
  return Math.min(...times);
}

/** The resident memory of a process. */
function megabytesOf(pid: number): number {
  const kilobytes =
    process.platform === "linux"
      ? /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
      : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(kilobytes) / 1024;
}
