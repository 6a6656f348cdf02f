import type { RecordedEntry, RecordedMessage } from "codexwright/recording";
import { fieldsOf } from "../shared/fields.ts";
import { errorOf, summaryOf, threadOf, turnOf } from "./summary.ts";

export type RowKind = "request" | "question" | "turn" | "item" | "error" | "event" | "text" | "close";

/** One event on a connection. */
export interface Row {
  readonly kind: RowKind;
  readonly connection: number;
  /** When it started, in milliseconds since the start of the recording. */
  readonly ms: number;
  /** Milliseconds from the event's start to its end; for a request, until its answer. */
  readonly durationMs?: number;
  readonly method: string;
  readonly threadId?: string;
  readonly turnId?: string;
  /** Its outcome or content, in a few words. */
  readonly summary: string;
  /** True if it failed or has no end. */
  readonly failed: boolean;
}

/** The method that our clients send to be rejected: the rejection lists the server's methods. */
const PROBE = "codexwright/methods";

interface Begun {
  readonly entry: RecordedMessage;
  readonly method: string;
}

/** A turn or an item that has started. */
interface Open {
  readonly row: Row;
  deltas: number;
}

/**
 * Reads a recording line by line, and returns a row for each thing that has ended: a request with its answer,
 * a server request with our answer, an item, a turn. Deltas are counted, not shown.
 */
export class Timeline {
  /** Requests without an answer, by connection, direction and id: the ids of the two sides overlap. */
  readonly #requests = new Map<string, Begun>();
  readonly #turns = new Map<string, Open>();
  readonly #items = new Map<string, Open>();

  push(entry: RecordedEntry): readonly Row[] {
    if ("closed" in entry) return this.#closed(entry.connection, entry.ms, entry.closed);
    if ("text" in entry) {
      const summary = `${entry.direction === "in" ? "from the server" : "from the client"}: ${entry.text}`;
      return [{ ...placeOf(entry), kind: "text", method: "", summary, failed: true }];
    }
    const { id, method } = entry.message;
    if (typeof method !== "string") return this.#answered(entry);
    if (id === undefined) return this.#notified(entry, method);
    this.#requests.set(keyOf(entry, entry.direction), { entry, method });
    return [];
  }

  /** Returns a row for everything that has started but not ended, on one connection or on all. */
  end(connection?: number): readonly Row[] {
    const rows: Row[] = [];
    for (const [key, request] of this.#requests) {
      if (connection !== undefined && request.entry.connection !== connection) continue;
      this.#requests.delete(key);
      rows.push(unanswered(request));
    }
    for (const begun of [this.#turns, this.#items]) {
      for (const [key, { row, deltas }] of begun) {
        if (connection !== undefined && row.connection !== connection) continue;
        begun.delete(key);
        rows.push({ ...row, summary: `${row.summary}${counted(deltas)}` });
      }
    }
    return rows;
  }

  #answered(entry: RecordedMessage): readonly Row[] {
    const key = keyOf(entry, entry.direction === "in" ? "out" : "in");
    const request = this.#requests.get(key);
    if (!request) {
      const summary = "answers a request that is not in the recording";
      return [{ ...placeOf(entry), kind: "error", method: "", summary, failed: true }];
    }
    this.#requests.delete(key);
    // This rejection is expected: our clients use it to learn the server's methods.
    const error = request.method === PROBE ? undefined : errorOf(entry.message["error"]);
    return [
      {
        ...rowOf(request),
        durationMs: entry.ms - request.entry.ms,
        summary: error ?? summaryOf(request.method, request.entry.message["params"], entry.message["result"]),
        failed: error !== undefined,
        ...idsOf(request.entry.message["params"], entry.message["result"]),
      },
    ];
  }

  #notified(entry: RecordedMessage, method: string): readonly Row[] {
    const params = fieldsOf(entry.message["params"]);
    const row = { ...placeOf(entry), method, ...idsOf(params, undefined) };
    const turnKey = `${entry.connection} ${threadOf(params)} ${turnOf(params)}`;
    const itemKey = `${turnKey} ${String(fieldsOf(params["item"])["id"] ?? params["itemId"])}`;
    switch (method) {
      case "turn/started":
        this.#turns.set(turnKey, {
          row: { ...row, kind: "turn", summary: "no end", failed: true },
          deltas: 0,
        });
        return [];
      case "item/started": {
        const summary = `${summaryOf(method, params, undefined)} · no end`;
        this.#items.set(itemKey, { row: { ...row, kind: "item", summary, failed: true }, deltas: 0 });
        return [];
      }
      case "turn/completed": {
        const { status, error } = fieldsOf(params["turn"]);
        const since = this.#turns.get(turnKey)?.row.ms;
        this.#turns.delete(turnKey);
        const summary = [String(status), errorOf(error)].filter(Boolean).join(": ");
        return [{ ...row, kind: "turn", ...span(since, entry.ms), summary, failed: status === "failed" }];
      }
      case "item/completed": {
        const item = fieldsOf(params["item"]);
        const begun = this.#items.get(itemKey);
        this.#items.delete(itemKey);
        const summary = `${summaryOf(method, params, undefined)}${counted(begun?.deltas ?? 0)}`;
        const failed = item["status"] === "failed" || item["status"] === "declined";
        return [{ ...row, kind: "item", ...span(begun?.row.ms, entry.ms), summary, failed }];
      }
      case "error":
        return [{ ...row, kind: "error", summary: errorOf(params["error"]) ?? "an error", failed: true }];
    }
    const begun = this.#items.get(itemKey);
    if (/delta$/i.test(method)) {
      if (begun) begun.deltas++;
      return [];
    }
    return [{ ...row, kind: "event", summary: summaryOf(method, params, undefined), failed: false }];
  }

  #closed(
    connection: number,
    ms: number,
    closed: { readonly by: string; readonly message: string },
  ): readonly Row[] {
    const rows = this.end(connection);
    const summary = `by the ${closed.by}: ${closed.message}`;
    return [...rows, { kind: "close", connection, ms, method: "", summary, failed: closed.by === "server" }];
  }
}

function rowOf({ entry, method }: Begun): Pick<Row, "kind" | "connection" | "ms" | "method"> {
  return { ...placeOf(entry), kind: entry.direction === "out" ? "request" : "question", method };
}

function unanswered(request: Begun): Row {
  const ids = idsOf(request.entry.message["params"], undefined);
  return { ...rowOf(request), ...ids, summary: "no answer", failed: true };
}

function counted(deltas: number): string {
  return deltas > 0 ? ` (${deltas} deltas)` : "";
}

function placeOf({ connection, ms }: { connection: number; ms: number }): { connection: number; ms: number } {
  return { connection, ms };
}

function span(since: number | undefined, until: number): { ms: number; durationMs?: number } {
  return since === undefined ? { ms: until } : { ms: since, durationMs: until - since };
}

function idsOf(params: unknown, result: unknown): { threadId?: string; turnId?: string } {
  const threadId = threadOf(params) ?? threadOf(result);
  const turnId = turnOf(params) ?? turnOf(result);
  return { ...(threadId !== undefined && { threadId }), ...(turnId !== undefined && { turnId }) };
}

function keyOf({ connection, message }: RecordedMessage, direction: "in" | "out"): string {
  return `${connection} ${direction} ${JSON.stringify(message["id"])}`;
}
