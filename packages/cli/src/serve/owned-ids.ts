import type { protocol } from "codexwright";

type Method = keyof protocol.ClientRequests;
type Params = Readonly<Record<string, unknown>>;

/** Where methods carry an id that a client chose, and that the app-server keeps for each connection. */
const ID_FIELDS: Readonly<Record<string, string>> = {
  "command/exec": "processId",
  "command/exec/write": "processId",
  "command/exec/resize": "processId",
  "command/exec/terminate": "processId",
  "command/exec/outputDelta": "processId",
  "process/spawn": "processHandle",
  "process/writeStdin": "processHandle",
  "process/resizePty": "processHandle",
  "process/kill": "processHandle",
  "process/outputDelta": "processHandle",
  "process/exited": "processHandle",
  "fs/watch": "watchId",
  "fs/unwatch": "watchId",
  "fs/changed": "watchId",
  fuzzyFileSearch: "cancellationToken",
  "fuzzyFileSearch/sessionStart": "sessionId",
  "fuzzyFileSearch/sessionUpdate": "sessionId",
  "fuzzyFileSearch/sessionStop": "sessionId",
  "fuzzyFileSearch/sessionUpdated": "sessionId",
  "fuzzyFileSearch/sessionCompleted": "sessionId",
};

/** What ends the things that clients start under such an id. */
const ENDED_BY: Readonly<Record<string, Method>> = {
  "command/exec": "command/exec/terminate",
  "process/spawn": "process/kill",
  "fs/watch": "fs/unwatch",
  "fuzzyFileSearch/sessionStart": "fuzzyFileSearch/sessionStop",
};

/** A request that ends what a client left behind. */
export interface Ending {
  readonly method: Method;
  readonly params: Params;
}

/**
 * Makes the ids that clients choose unique among all of them, as the app-server sees one connection only: without
 * it the second client that watches `"w1"` would be refused, and the first would hear what the other one watches.
 */
export class OwnedIds {
  /** What each client has going, by the id that the app-server knows. */
  readonly #open = new Map<number, Map<string, Ending>>();

  /** The params of a client's request, for the app-server. */
  toServer(connection: number, method: string, params: unknown): unknown {
    const field = ID_FIELDS[method];
    const id = field === undefined ? undefined : fieldsOf(params)[field];
    if (field === undefined || typeof id !== "string") return params;
    const owned = `${connection}/${id}`;
    const ending = ENDED_BY[method];
    if (ending) this.#of(connection).set(owned, { method: ending, params: { [field]: owned } });
    return { ...fieldsOf(params), [field]: owned };
  }

  /** Whose notification it is and how that client knows it; `undefined` where it belongs to no single one. */
  toClient(method: string, params: unknown): { connection: number; params: unknown } | undefined {
    const field = ID_FIELDS[method];
    const id = field === undefined ? undefined : fieldsOf(params)[field];
    const [, connection, own] = typeof id === "string" ? (/^(\d+)\/(.*)$/s.exec(id) ?? []) : [];
    if (field === undefined || connection === undefined) return undefined;
    if (method === "process/exited") this.#open.get(Number(connection))?.delete(String(id));
    return { connection: Number(connection), params: { ...fieldsOf(params), [field]: own } };
  }

  /** A request was answered: what ends with its answer, or never began, needs no end any more. */
  answered(connection: number, method: string, params: unknown, isError: boolean): void {
    const field = ID_FIELDS[method];
    if (field === undefined || !(isError || method === "command/exec" || isEnding(method))) return;
    this.#open.get(connection)?.delete(`${connection}/${String(fieldsOf(params)[field])}`);
  }

  /** A client has gone: what it left behind. */
  left(connection: number): readonly Ending[] {
    const endings = [...(this.#open.get(connection)?.values() ?? [])];
    this.#open.delete(connection);
    return endings;
  }

  #of(connection: number): Map<string, Ending> {
    const known = this.#open.get(connection) ?? new Map<string, Ending>();
    this.#open.set(connection, known);
    return known;
  }
}

function isEnding(method: string): boolean {
  return method === "fs/unwatch" || method === "fuzzyFileSearch/sessionStop";
}

function fieldsOf(value: unknown): Params {
  return typeof value === "object" && value !== null ? (value as Params) : {};
}
