import { setTimeout as delay } from "node:timers/promises";
import { CodexError, type CodexClient, type Thread } from "codexwright";
import type { Turn } from "codexwright/protocol";
import type { LaneOptions } from "./lane.ts";
import { nothingTold, tokenOf, type RunLog, type Told } from "./ledger.ts";

export interface WorkerOptions extends LaneOptions {
  readonly logs: Readonly<Record<string, RunLog>>;
  /** Runs work during which the disk is not full. */
  readonly undisturbed: (work: () => Promise<void>) => Promise<void>;
}

const TURNS_PER_THREAD = 8;
/** Longer than any of these turns takes, whatever happens to it. */
const TURN_MS = 90_000;
/** How long a thread may take to be readable. */
const PATIENCE_MS = 10_000;
/** The allowed outcomes of a turn. */
const OUTCOMES: ReadonlySet<string> = new Set(["turn_failed", "turn_interrupted", "connection_closed"]);

/** A thread that goes on through the lives of its engine. */
interface Current {
  readonly id: string;
  readonly told: Told;
  turns: number;
  /** Whether the engine was asked to archive and delete it. It may have done so before it was killed. */
  isDone: boolean;
}

/** Runs turns on one thread after the other, and audits each. */
export class Worker {
  readonly #options: WorkerOptions;
  #current: Current | undefined;
  #turns = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Works until the connection ends or the time is up. */
  async live(codex: CodexClient): Promise<void> {
    const stop = this.#listen(codex);
    try {
      while (!this.#options.over()) {
        const thread = await this.#opened(codex);
        if (!thread || !(await this.#turnsOn(codex, thread))) return this.#wasKilled();
      }
    } finally {
      stop();
    }
  }

  /** Audits the last thread on an engine that no fault disturbs. */
  async finish(codex: CodexClient): Promise<void> {
    const thread = await this.#opened(codex);
    if (thread && this.#current && this.#current.turns > 0) await this.#audited(codex, thread, this.#current);
  }

  #listen(codex: CodexClient): () => void {
    const stops = [
      codex.onNotification("item/completed", ({ threadId, turnId, item }) => {
        const token = tokenOf(item);
        if (threadId !== this.#current?.id || token === undefined) return;
        const { items, ends, late } = this.#current.told;
        const tokens = items.get(turnId) ?? new Map<string, string>();
        items.set(turnId, tokens.set(token, item.type));
        if (ends.has(turnId)) late.add(token);
      }),
      codex.onNotification("turn/completed", ({ threadId, turn }) => {
        if (threadId === this.#current?.id) this.#current.told.ends.set(turn.id, turn.status);
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }

  /** Resumes the thread, or starts one. Returns `undefined` if the connection has ended. */
  async #opened(codex: CodexClient): Promise<Thread | undefined> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const current = this.#current;
      try {
        if (!current) {
          const thread = await codex.startThread();
          this.#current = { id: thread.id, told: nothingTold(), turns: 0, isDone: false };
          return thread;
        }
        const thread = await codex.resumeThread(current.id);
        this.#options.ledger.counts.resumes++;
        await this.#audit(thread, current);
        return thread;
      } catch (error) {
        if (!(error instanceof CodexError)) throw error;
        if (error.code === "connection_closed") return undefined;
        if (current?.isDone && error.code === "thread_archived") {
          // The engine was killed between the archive and the deletion.
          await codex.request("thread/unarchive", { threadId: current.id }).catch(() => {});
          continue;
        }
        const hasCompleted = [...(current?.told.ends.values() ?? [])].includes("completed");
        if (current && isUnknown(error) && (current.isDone || !hasCompleted)) {
          // The engine was killed before it had written anything of the thread, or after it had deleted it.
          this.#current = undefined;
          continue;
        }
        if (performance.now() > until) {
          this.#options.ledger.wrong.push(`a thread cannot be opened: ${error.code} ${error.message}`);
          this.#current = undefined;
          return undefined;
        }
        await delay(100);
      }
    }
  }

  /** Returns whether the connection lives on. */
  async #turnsOn(codex: CodexClient, thread: Thread): Promise<boolean> {
    const current = this.#current;
    const { over, ledger } = this.#options;
    if (!current) return true;
    // A thread without a turn cannot be deleted.
    while (current.turns === 0 || (current.turns < TURNS_PER_THREAD && !over())) {
      current.turns++;
      const outcome = await this.#turn(thread, current);
      ledger.ended(outcome);
      if (outcome === "connection_closed") return false;
    }
    try {
      await this.#options.undisturbed(async () => {
        await this.#audited(codex, thread, current);
        await codex.request("thread/delete", { threadId: thread.id });
      });
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      if (error.code === "connection_closed") return false;
      ledger.wrong.push(`a thread cannot be deleted: ${error.code} ${error.message}`);
    }
    this.#current = undefined;
    return true;
  }

  async #turn(thread: Thread, { told }: Current): Promise<string> {
    const known = new Set(told.items.keys());
    const turn = thread.turn(`turn ${this.#turns++}`, { timeoutMs: TURN_MS });
    try {
      await turn.started;
      told.open.add(turn.id);
      await turn.completed;
      told.open.clear();
      return "completed";
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      for (const each of told.items.keys()) if (!known.has(each)) told.open.add(each);
      if (!OUTCOMES.has(error.code))
        this.#options.ledger.wrong.push(`a turn ended with ${error.code}: ${error.message}`);
      return error.code;
    }
  }

  /** The engine was killed. */
  #wasKilled(): void {
    const told = this.#current?.told;
    if (!told) return;
    told.wasCut = true;
    for (const each of told.open) told.disturbed.add(each);
    told.open.clear();
  }

  /** Audits a thread for the last time: as the engine has it in its memory, and as it reads it from the disk. */
  async #audited(codex: CodexClient, thread: Thread, current: Current): Promise<void> {
    await this.#audit(thread, current);
    current.isDone = true;
    await codex.request("thread/archive", { threadId: thread.id });
    const { stored, wrong } = await this.#compared(thread, current.told);
    this.#options.ledger.audited(current.told, stored, wrong);
  }

  async #audit(thread: Thread, { told }: Current): Promise<void> {
    const { wrong } = await this.#compared(thread, told);
    this.#options.ledger.wrong.push(...wrong);
  }

  /** The tools' ledgers may lag behind for a moment. */
  async #compared(
    thread: Thread,
    told: Told,
  ): Promise<{ readonly stored: readonly Turn[]; readonly wrong: readonly string[] }> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const { turns } = await thread.read(true);
      const wrong = this.#options.ledger.audit(told, turns, this.#options.logs);
      if (wrong.length === 0 || performance.now() > until) return { stored: turns, wrong };
      await delay(100);
    }
  }
}

function isUnknown(error: CodexError): boolean {
  return error.code === "no_rollout" || error.code === "thread_not_found";
}
