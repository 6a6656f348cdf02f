import { existsSync, openSync, readSync, closeSync, fstatSync } from "node:fs";
import type { ThreadItem, Turn } from "codexwright/protocol";

/** Each item of the model has a token of its own, which the item keeps in the record and in the ledgers of the tools. */
const TOKEN = /\bt\d+x\b/;

/** Returns the token of an item, if it has one. */
export function tokenOf(item: ThreadItem): string | undefined {
  switch (item.type) {
    case "agentMessage":
      return TOKEN.exec(item.text)?.[0];
    case "commandExecution":
      return TOKEN.exec(item.command)?.[0];
    case "mcpToolCall":
      return TOKEN.exec(JSON.stringify(item.arguments))?.[0];
    case "fileChange":
      return TOKEN.exec(item.changes[0]?.path ?? "")?.[0];
    default:
      return undefined;
  }
}

/** Everything that a client has received about a thread. */
export interface Told {
  /** Completed items by turn and token, each with its type. */
  readonly items: Map<string, Map<string, string>>;
  /** How the turns ended. */
  readonly ends: Map<string, Turn["status"]>;
  /** Turns of which a part may not be on the disk yet. A turn that completes is on the disk, with all turns before it. */
  readonly open: Set<string>;
  /** Turns that were open when the engine was killed. */
  readonly disturbed: Set<string>;
  /** Tokens of commands that ended in the background after their turn. A kill may come before they are written. */
  readonly late: Set<string>;
  /** Whether the engine was killed while it had this thread. */
  wasCut: boolean;
}

export function nothingTold(): Told {
  return {
    items: new Map(),
    ends: new Map(),
    open: new Set(),
    disturbed: new Set(),
    late: new Set(),
    wasCut: false,
  };
}

/** A file to which a tool adds a line with its token for each run. */
export class RunLog {
  readonly #file: string;
  readonly #runs = new Map<string, number>();
  #offset = 0;
  #rest = "";

  constructor(file: string) {
    this.#file = file;
  }

  /** How often each call has run. */
  runs(): ReadonlyMap<string, number> {
    if (!existsSync(this.#file)) return this.#runs;
    const file = openSync(this.#file, "r");
    try {
      const added = Buffer.alloc(fstatSync(file).size - this.#offset);
      this.#offset += readSync(file, added, 0, added.length, this.#offset);
      const lines = (this.#rest + added.toString("utf8")).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const token of lines) this.#runs.set(token, (this.#runs.get(token) ?? 0) + 1);
    } finally {
      closeSync(file);
    }
    return this.#runs;
  }
}

/** Compares everything that clients have received with the stored threads and with the runs of the tools. */
export class Ledger {
  readonly wrong: string[] = [];
  readonly outcomes = new Map<string, number>();
  readonly faults = new Map<string, number>();
  readonly counts = { items: 0, runs: 0, threads: 0, resumes: 0, unwritten: 0, sent: 0 };
  #tokens = 0;

  /** A token for the next item of the model. */
  token(): string {
    this.counts.sent++;
    return `t${this.#tokens++}x`;
  }

  fault(name: string): void {
    this.faults.set(name, (this.faults.get(name) ?? 0) + 1);
  }

  ended(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  /** Audits a thread at rest. Returns the problems. */
  audit(told: Told, stored: readonly Turn[], logs: Readonly<Record<string, RunLog>>): string[] {
    const wrong: string[] = [];
    const times = new Map<string, number>();
    for (const { items } of stored) {
      for (const item of items) {
        const token = tokenOf(item);
        if (token === undefined) continue;
        times.set(token, (times.get(token) ?? 0) + 1);
        const log = logs[item.type];
        if (log && hasRun(item) && log.runs().get(token) !== 1)
          wrong.push(`${item.type} ${token} has completed, and ran ${log.runs().get(token) ?? 0} times`);
      }
    }
    for (const [token, count] of times) if (count > 1) wrong.push(`${token} is stored ${count} times`);
    for (const [turnId, status] of told.ends) {
      const turn = stored.find(({ id }) => id === turnId);
      if (turn === undefined && !told.disturbed.has(turnId)) wrong.push(`turn ${turnId} (${status}) is lost`);
      if (turn && turn.status !== status && !told.disturbed.has(turnId))
        wrong.push(`turn ${turnId} ended as ${status}, and is stored as ${turn.status}`);
    }
    for (const [turnId, tokens] of told.items)
      for (const [token, type] of tokens)
        if (!times.has(token) && !mayMiss(told, turnId, token))
          wrong.push(
            `${type} ${token} of turn ${turnId} (${told.ends.get(turnId) ?? "without an end"}) is lost`,
          );
    return wrong;
  }

  /** Keeps the result of the last audit of a thread, and counts. */
  audited(told: Told, stored: readonly Turn[], wrong: readonly string[]): void {
    const tokens = new Set(stored.flatMap(({ items }) => items.map((item) => tokenOf(item))));
    for (const items of told.items.values()) {
      this.counts.items += items.size;
      this.counts.unwritten += [...items.keys()].filter((token) => !tokens.has(token)).length;
    }
    this.counts.threads++;
    this.wrong.push(...wrong);
  }

  /** No call may have run twice. */
  closed(logs: Readonly<Record<string, RunLog>>): void {
    for (const [type, log] of Object.entries(logs)) {
      for (const [token, times] of log.runs()) {
        this.counts.runs += times;
        if (times !== 1) this.wrong.push(`${type} ${token} ran ${times} times`);
      }
    }
  }
}

function mayMiss({ disturbed, late, wasCut }: Told, turnId: string, token: string): boolean {
  return disturbed.has(turnId) || (wasCut && late.has(token));
}

function hasRun(item: ThreadItem): boolean {
  if (item.type === "commandExecution") return item.status === "completed" && item.exitCode === 0;
  return item.type === "mcpToolCall" && item.status === "completed";
}
