import { spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import type { Figures } from "../lib/sample.ts";
import { cpuTimer } from "../lib/usage.ts";
import type { Party, PartyThread } from "./party.ts";
import { HELLO, HOLD, REPLY } from "./words.ts";

/** One measured task on a real server. */
type Task = (party: Party, ...args: number[]) => Promise<Figures>;

/** If a server has not answered any request for this long, it will never answer the remaining ones. */
const STANDSTILL_MS = 2_000;

export const TASKS: Readonly<Record<string, Task>> = { connect, start, turns, concurrent, rate, recovery };

/** Measures the time from the start of the process to the end of the handshake. */
async function connect(party: Party): Promise<Figures> {
  const since = performance.now();
  await party.connect();
  return { connectMs: performance.now() - since };
}

/** Measures the time from the start of the process to the first text of the first turn. */
async function start(party: Party): Promise<Figures> {
  const since = performance.now();
  await party.connect();
  const thread = await party.startThread();
  let firstTextMs = 0;
  await checked(thread, () => (firstTextMs ||= performance.now() - since));
  return { firstTextMs };
}

/** Turns of one thread, one after the other; the first one is not counted. */
async function turns(party: Party, count: number): Promise<Figures> {
  await party.connect();
  const thread = await party.startThread();
  await checked(thread);
  const cpu = cpuTimer();
  const since = performance.now();
  for (let n = 0; n < count; n++) await checked(thread);
  return { turnMs: (performance.now() - since) / count, turnCpuMs: cpu() / count };
}

/** One turn on each of `count` threads, all at the same time. */
async function concurrent(party: Party, count: number): Promise<Figures> {
  await party.connect();
  const threads = await Promise.all(Array.from({ length: count }, () => party.startThread()));
  const cpu = cpuTimer();
  const since = performance.now();
  await Promise.all(threads.map((thread) => checked(thread)));
  return { allMs: performance.now() - since, allCpuMs: cpu() };
}

/**
 * Runs once for each level, which is a number of concurrent callers. Each caller sends its next request when its
 * previous request was answered.
 */
async function rate(party: Party, count: number, ...levels: number[]): Promise<Figures> {
  await party.connect();
  const figures: Record<string, number> = {};
  for (const callers of levels) {
    // The first requests pay for compiling the code.
    await flood(party, count, callers);
    const cpu = cpuTimer();
    const since = performance.now();
    const answered = await flood(party, count, callers);
    figures[`us${callers}`] = ((performance.now() - since) / count) * 1_000;
    figures[`cpuUs${callers}`] = (cpu() / count) * 1_000;
    figures[`unanswered${callers}`] = count - answered;
  }
  return figures;
}

/** Returns how many of `count` requests were answered. */
async function flood(party: Party, count: number, callers: number): Promise<number> {
  let left = count;
  let answered = 0;
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      await party.request?.();
      answered++;
    }
  };
  const all = Promise.all(Array.from({ length: callers }, caller));
  await Promise.race([all, standstill(() => answered)]);
  return answered;
}

/** Resolves when the value has not changed for a long time. */
async function standstill(progress: () => number): Promise<void> {
  for (let before = -1; before !== progress();) {
    before = progress();
    await delay(STANDSTILL_MS, undefined, { ref: false });
  }
}

/** Measures the time from `kill -9` in the middle of a turn to the first text of the next turn. */
async function recovery(party: Party): Promise<Figures> {
  await party.connect();
  const thread = await party.startThread();
  await checked(thread);
  let held = (): void => {};
  const holding = new Promise<void>((resolve) => (held = resolve));
  const lost = thread.run(HOLD, held);
  await holding;
  const server = childOf(process.pid);
  const since = performance.now();
  process.kill(server, "SIGKILL");
  await thread.back(lost);
  const backMs = performance.now() - since;
  let recoveredMs = 0;
  await checked(thread, () => (recoveredMs ||= performance.now() - since));
  return { backMs, recoveredMs };
}

async function checked(thread: PartyThread, onText?: () => void): Promise<void> {
  const answer = await thread.run(HELLO, onText);
  if (answer !== REPLY) throw new Error(`a turn was answered with ${JSON.stringify(answer)}`);
}

/** The one server that this process has started. A guard process may also be a child. */
function childOf(parent: number): number {
  const { pid, stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const children = stdout
    .split("\n")
    .filter((line) => !line.includes("codexwright-guard"))
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([child, of]) => of === parent && child !== pid);
  const [[child] = []] = children;
  if (child === undefined || children.length !== 1) throw new Error(`there are ${children.length} servers`);
  return child;
}
