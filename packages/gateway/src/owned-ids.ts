import { notificationTraits, requestTraits } from "codexwright/internal";

type Params = Readonly<Record<string, unknown>>;

/** The traits of a request or notification that identify which client resource it refers to. */
interface IdTraits {
  readonly ownId?: string;
  readonly endedBy?: string;
  readonly ends?: unknown;
}

/** A request that ends something that a client left running. */
export interface Ending {
  readonly method: string;
  readonly params: Params;
}

/** A client's request on its way to the app-server. */
export interface Claim {
  readonly params: unknown;
  /** Receives the id of the request at the app-server. */
  readonly sent: (id: number) => void;
  /**
   * Called when the request was answered. If the request failed, or its work ended with the answer, nothing is left to
   * end when the client leaves.
   */
  readonly answered: (isError: boolean) => void;
}

/**
 * Makes the ids that clients choose unique across clients, because the app-server sees only one connection.
 * Without this, the second client that watches `"w1"` would be rejected, and the first would receive the
 * events of the second.
 */
export class OwnedIds {
  /** The running resources of each client, by their id at the app-server. */
  readonly #open = new Map<number, Map<string, Ending>>();
  /** The app-server's ids of requests that can be cancelled, by client and the client's own id. */
  readonly #messages = new Map<string, number>();
  #nextCommand = 0;

  /** Translates a client's request for the app-server. */
  claim(connection: number, request: { id: string | number; method: string; params: unknown }): Claim {
    const { method } = request;
    const traits = requestTraits(method);
    const message = messageKey(connection, request.id);
    const params = this.#translated(connection, method, request.params);
    const key = keyOf(traits, params);
    const ending = traits.endedBy;
    const mine = this.#open.get(connection);
    // If the id is already in use, it keeps referring to the first request: the app-server rejects the second.
    const begins = ending !== undefined && key !== undefined && !mine?.has(key);
    if (begins) this.#begin(connection, key, { method: ending, params: idOf(traits, params) });
    return {
      params,
      sent: (id) => {
        const cancel = traits.cancelledBy;
        if (cancel === undefined) return;
        this.#messages.set(message, id);
        this.#begin(connection, message, { method: cancel, params: { requestId: id } });
      },
      answered: (isError) => {
        if (this.#messages.delete(message)) this.#open.get(connection)?.delete(message);
        if (key === undefined) return;
        const isOver = traits.ends === "answer" || (isError ? begins : traits.ends === "result");
        if (isOver) this.#ended(key);
      },
    };
  }

  /**
   * Returns the client that a notification is for, with the client's own ids; `undefined` if it is not for a
   * single client.
   */
  toClient(method: string, params: unknown): { connection: number; params: unknown } | undefined {
    const traits = notificationTraits(method);
    if (traits.ends) this.#ended(keyOf(traits, params) ?? "");
    const field = traits.ownId;
    const id = field === undefined ? undefined : fieldsOf(params)[field];
    const [, connection, own] = typeof id === "string" ? (/^(\d+)\/(.*)$/s.exec(id) ?? []) : [];
    if (field === undefined || connection === undefined) return undefined;
    return { connection: Number(connection), params: { ...fieldsOf(params), [field]: own } };
  }

  /** Removes what a client left running, and returns the requests that end it. */
  left(connection: number): readonly Ending[] {
    const endings = [...(this.#open.get(connection)?.values() ?? [])];
    this.#open.delete(connection);
    return endings;
  }

  #translated(connection: number, method: string, params: unknown): unknown {
    // Params may also be a list of values, whose meaning only the app-server knows.
    if (typeof params !== "object" || params === null || Array.isArray(params)) return params;
    const fields = fieldsOf(params);
    const { cancels, ownId: field } = requestTraits(method);
    if (cancels) {
      const message = messageKey(connection, fields["requestId"]);
      // An unknown id is replaced by one that belongs to no client.
      return { ...fields, requestId: this.#messages.get(message) ?? message };
    }
    if (field === undefined) return params;
    const id = fields[field];
    if (typeof id === "string") return { ...fields, [field]: `${connection}/${id}` };
    // A command without an id could not be ended, so it gets one. No client id looks like this one.
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

/** Returns only the field with the id. */
function idOf({ ownId = "threadId" }: IdTraits, params: unknown): Params {
  return { [ownId]: fieldsOf(params)[ownId] };
}

/** Identifies something that can be ended, by its id and the kind of the id. */
function keyOf(traits: IdTraits, params: unknown): string | undefined {
  const isThing = traits.ownId !== undefined || traits.endedBy !== undefined || traits.ends !== undefined;
  const [[field, id] = []] = isThing ? Object.entries(idOf(traits, params)) : [];
  return typeof id === "string" ? `${field} ${id}` : undefined;
}

function messageKey(connection: number, id: unknown): string {
  return `${connection} ${JSON.stringify(id)}`;
}

function fieldsOf(value: unknown): Params {
  return typeof value === "object" && value !== null ? (value as Params) : {};
}
