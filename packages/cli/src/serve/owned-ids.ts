type Params = Readonly<Record<string, unknown>>;

/** Where methods carry an id that a client chose, and that the app-server keeps for each connection. */
const ID_FIELDS: ReadonlyMap<string, string> = new Map([
  ["command/exec", "processId"],
  ["command/exec/write", "processId"],
  ["command/exec/resize", "processId"],
  ["command/exec/terminate", "processId"],
  ["command/exec/outputDelta", "processId"],
  ["process/spawn", "processHandle"],
  ["process/writeStdin", "processHandle"],
  ["process/resizePty", "processHandle"],
  ["process/kill", "processHandle"],
  ["process/outputDelta", "processHandle"],
  ["process/exited", "processHandle"],
  ["fs/watch", "watchId"],
  ["fs/unwatch", "watchId"],
  ["fs/changed", "watchId"],
  ["fuzzyFileSearch", "cancellationToken"],
  ["fuzzyFileSearch/sessionStart", "sessionId"],
  ["fuzzyFileSearch/sessionUpdate", "sessionId"],
  ["fuzzyFileSearch/sessionStop", "sessionId"],
  ["fuzzyFileSearch/sessionUpdated", "sessionId"],
  ["fuzzyFileSearch/sessionCompleted", "sessionId"],
  ["mcpServer/event/stream/start", "subscriptionId"],
  ["mcpServer/event/stream/stop", "subscriptionId"],
  ["mcpServer/event/stream/notification", "subscriptionId"],
]);

/** What ends the things that clients start. */
const ENDED_BY: ReadonlyMap<string, string> = new Map([
  ["command/exec", "command/exec/terminate"],
  ["process/spawn", "process/kill"],
  ["fs/watch", "fs/unwatch"],
  ["fuzzyFileSearch/sessionStart", "fuzzyFileSearch/sessionStop"],
  ["mcpServer/event/stream/start", "mcpServer/event/stream/stop"],
  // A conversation is its thread's, but it was the client that spoke.
  ["thread/realtime/start", "thread/realtime/stop"],
]);

/** Requests whose answer says that something has ended, or has it end: all but `process/kill`, which `exited` follows. */
const ENDINGS: ReadonlySet<string> = new Set([
  "fs/unwatch",
  "fuzzyFileSearch/sessionStop",
  "mcpServer/event/stream/stop",
  "thread/realtime/stop",
]);

/** Notifications after which there is nothing left to end. */
const ENDED: ReadonlySet<string> = new Set(["process/exited", "thread/realtime/closed"]);

/** Requests that another one can cancel by the id of the message, which is ours on the way to the app-server. */
const CANCELLED_BY: ReadonlyMap<string, string> = new Map([
  ["thread/sample", "thread/sample/cancel"],
  ["userVerification/delete", "userVerification/cancel"],
  ["userVerification/enroll", "userVerification/cancel"],
  ["userVerification/verify", "userVerification/cancel"],
]);
const CANCELS: ReadonlySet<string> = new Set(CANCELLED_BY.values());

/** A request that ends what a client left behind. */
export interface Ending {
  readonly method: string;
  readonly params: Params;
}

/** A client's request on its way to the app-server. */
export interface Claim {
  readonly params: unknown;
  /** The id it has there. */
  readonly sent: (id: number) => void;
  /** What ends with its answer, or never began, needs no end any more. */
  readonly answered: (isError: boolean) => void;
}

/**
 * Makes the ids that clients choose unique among all of them, as the app-server sees one connection only: without
 * it the second client that watches `"w1"` would be refused, and the first would hear what the other one watches.
 */
export class OwnedIds {
  /** What each client has going, by the id that the app-server knows. */
  readonly #open = new Map<number, Map<string, Ending>>();
  /** The ids of messages that can be cancelled, by client and the client's own. */
  readonly #messages = new Map<string, number>();
  #nextCommand = 0;

  /** A client's request, for the app-server. */
  claim(connection: number, request: { id: string | number; method: string; params: unknown }): Claim {
    const { method } = request;
    const message = messageKey(connection, request.id);
    const params = this.#translated(connection, method, request.params);
    const key = keyOf(method, params);
    const ending = ENDED_BY.get(method);
    const mine = this.#open.get(connection);
    // One that has this id already stays what it is: the app-server refuses the second.
    const begins = ending !== undefined && key !== undefined && !mine?.has(key);
    if (begins) this.#begin(connection, key, { method: ending, params: idOf(method, params) });
    return {
      params,
      sent: (id) => {
        const cancel = CANCELLED_BY.get(method);
        if (cancel === undefined) return;
        this.#messages.set(message, id);
        this.#begin(connection, message, { method: cancel, params: { requestId: id } });
      },
      answered: (isError) => {
        if (this.#messages.delete(message)) this.#open.get(connection)?.delete(message);
        if (key === undefined) return;
        const isOver = method === "command/exec" || (isError && begins) || (!isError && ENDINGS.has(method));
        if (isOver) this.#ended(key);
      },
    };
  }

  /** Whose notification it is and how that client knows it; `undefined` where it belongs to no single one. */
  toClient(method: string, params: unknown): { connection: number; params: unknown } | undefined {
    if (ENDED.has(method)) this.#ended(keyOf(method, params) ?? "");
    const field = ID_FIELDS.get(method);
    const id = field === undefined ? undefined : fieldsOf(params)[field];
    const [, connection, own] = typeof id === "string" ? (/^(\d+)\/(.*)$/s.exec(id) ?? []) : [];
    if (field === undefined || connection === undefined) return undefined;
    return { connection: Number(connection), params: { ...fieldsOf(params), [field]: own } };
  }

  /** A client has gone: what it left behind. */
  left(connection: number): readonly Ending[] {
    const endings = [...(this.#open.get(connection)?.values() ?? [])];
    this.#open.delete(connection);
    return endings;
  }

  #translated(connection: number, method: string, params: unknown): unknown {
    // A list of values is params, too; what is in it only the app-server knows.
    if (typeof params !== "object" || params === null || Array.isArray(params)) return params;
    const fields = fieldsOf(params);
    if (CANCELS.has(method)) {
      const message = messageKey(connection, fields["requestId"]);
      // Unknown ones are named so that they are nobody's.
      return { ...fields, requestId: this.#messages.get(message) ?? message };
    }
    const field = ID_FIELDS.get(method);
    if (field === undefined) return params;
    const id = fields[field];
    if (typeof id === "string") return { ...fields, [field]: `${connection}/${id}` };
    // A command without an id could not be ended; no client's id looks like this one.
    const isNameless = method === "command/exec" && (id === undefined || id === null);
    return isNameless ? { ...fields, [field]: `${connection}!${this.#nextCommand++}` } : params;
  }

  #begin(connection: number, key: string, ending: Ending): void {
    const known = this.#open.get(connection) ?? new Map<string, Ending>();
    this.#open.set(connection, known.set(key, ending));
  }

  #ended(key: string): void {
    for (const known of this.#open.values()) known.delete(key);
  }
}

/** The field with the id, alone. */
function idOf(method: string, params: unknown): Params {
  const field = ID_FIELDS.get(method) ?? "threadId";
  return { [field]: fieldsOf(params)[field] };
}

/** Names a thing that can be ended: by the kind of its id, and the id. */
function keyOf(method: string, params: unknown): string | undefined {
  const isKnown = ID_FIELDS.has(method) || method.startsWith("thread/realtime/");
  const [[field, id] = []] = isKnown ? Object.entries(idOf(method, params)) : [];
  return typeof id === "string" ? `${field} ${id}` : undefined;
}

function messageKey(connection: number, id: unknown): string {
  return `${connection} ${JSON.stringify(id)}`;
}

function fieldsOf(value: unknown): Params {
  return typeof value === "object" && value !== null ? (value as Params) : {};
}
