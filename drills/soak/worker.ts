import { setTimeout as delay } from "node:timers/promises";
import { CodexError, jsonSchema, tool, type CodexClient, type Thread, type Turn } from "codexwright";
import type { Random } from "../lib/random.ts";
import type { Ledger } from "./ledger.ts";

export interface WorkerOptions {
  readonly name: string;
  readonly codex: CodexClient;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Whether this worker's server may be killed, which loses everything that it has not written yet. */
  readonly mayLose: boolean;
  /** Runs work that no fault may disturb. */
  undisturbed<T>(work: () => Promise<T>): Promise<T>;
  over(): boolean;
}

const TURNS_PER_THREAD = 8;
/** Longer than any of these turns takes, whatever happens to it. */
const TURN_MS = 60_000;
const SILENCE_MS = 5_000;
/** The allowed outcomes of a turn. */
const OUTCOMES: ReadonlySet<string> = new Set([
  "turn_interrupted",
  "turn_failed",
  "turn_timeout",
  "connection_closed",
  "aborted",
]);

/** Starts threads, runs turns, and compares, until the time is up. */
export async function work(options: WorkerOptions): Promise<void> {
  const { codex, ledger, random } = options;
  codex.onNotification("item/completed", ({ threadId, turnId, item }) =>
    ledger.told(threadId, turnId, item.id),
  );
  const count = tool({
    name: "count",
    description: "Counts",
    input: jsonSchema<{ n: number }>({ type: "object", properties: { n: { type: "integer" } } }),
    run: async ({ n }, { threadId, callId }) => {
      ledger.ran(threadId, callId);
      await delay(random.below(200));
      return `${n + 1}`;
    },
  });
  let turns = 0;
  while (!options.over()) {
    const thread = await started(codex, count);
    for (let n = 0; n < TURNS_PER_THREAD && !options.over(); n++) {
      const outcome = await runTurn(thread, `${options.name} turn ${turns++}`, options);
      ledger.ended(outcome);
      if (outcome === "no_rollout") break;
    }
    await options.undisturbed(() => audit(thread, options));
    await codex
      .thread(thread.id)
      .unsubscribe()
      .catch(() => {});
  }
}

/** Starts a thread. Tries again if the server dies before the thread has started. */
async function started(codex: CodexClient, count: ReturnType<typeof tool>): Promise<Thread> {
  for (;;) {
    try {
      return await codex.startThread({ tools: [count] });
    } catch (error) {
      if (!(error instanceof CodexError) || error.code !== "connection_closed") throw error;
    }
  }
}

async function runTurn(
  thread: Thread,
  text: string,
  { codex, random, ledger }: WorkerOptions,
): Promise<string> {
  const controller = new AbortController();
  let turn: Turn;
  try {
    turn = thread.turn(text, { silenceMs: SILENCE_MS, signal: controller.signal });
  } catch (error) {
    // The client already knows that the thread was lost with its server.
    if (error instanceof CodexError && error.code === "no_rollout") return error.code;
    throw error;
  }
  const changeOfMind =
    random.below(25) === 0 ? setTimeout(() => controller.abort(), random.below(600)) : undefined;
  let events = 0;
  const listening = (async () => {
    for await (const _event of turn) events++;
  })().catch(() => {});
  let late: ReturnType<typeof setTimeout> | undefined;
  const never = new Promise<never>((_resolve, reject) => {
    late = setTimeout(() => reject(new Error(`the turn "${text}" never ended`)), TURN_MS);
  });
  try {
    await Promise.race([turn.completed, never]);
    await Promise.race([listening, never]);
    return "completed";
  } catch (error) {
    if (!(error instanceof CodexError)) throw error;
    if (error.code === "no_rollout") return error.code;
    if (!OUTCOMES.has(error.code))
      ledger.wrong.push(`the turn "${text}" ended with ${error.code}: ${error.message}`);
    await Promise.race([listening, never]);
    await Promise.race([atRest(codex, thread), never]);
    return error.code;
  } finally {
    clearTimeout(changeOfMind);
    clearTimeout(late);
  }
}

/**
 * A turn that lost its connection may continue on the server. Its outcome is known once the connection is
 * back.
 */
async function atRest(codex: CodexClient, thread: Thread): Promise<void> {
  await codex.request("thread/loaded/list", {}).catch(() => {});
  while (thread.state.activeTurnId !== undefined) await delay(20);
}

/** The history may lag behind the notifications. If it has not caught up after this time, it never will. */
const LAG_MS = 5_000;

async function audit(thread: Thread, { codex, ledger, mayLose }: WorkerOptions): Promise<void> {
  const until = performance.now() + LAG_MS;
  for (;;) {
    try {
      const server = await thread.read(true);
      await atRest(codex, thread);
      const found = ledger.audit(thread, server, mayLose);
      if (found.wrong.length === 0 || performance.now() > until) return ledger.audited(thread.id, found);
      await delay(100);
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      if (error.code === "connection_closed" || error.code === "request_timeout") continue;
      // The thread was lost before its first turn was written: there is no history to compare with.
      if (error.code === "no_rollout" || error.code === "thread_not_found") return;
      if (performance.now() > until) {
        ledger.wrong.push(`thread ${thread.id} cannot be read: ${error.message}`);
        return;
      }
      await delay(100);
    }
  }
}
