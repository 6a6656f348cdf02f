import { notificationTraits, requestTraits } from "codexwright/internal";

type Params = Readonly<Record<string, unknown>>;

/** The traits of a request or notification that tell which thing of a client it is about. */
interface IdTraits {
  readonly ownId?: string;
  readonly endedBy?: string;
  readonly ends?: unknown;
}

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
    const traits = requestTraits(method);
    const message = messageKey(connection, request.id);
    const params = this.#translated(connection, method, request.params);
    const key = keyOf(traits, params);
    const ending = traits.endedBy;
    const mine = this.#open.get(connection);
    // One that has this id already stays what it is: the app-server refuses the second.
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

  /** Whose notification it is and how that client knows it; `undefined` where it belongs to no single one. */
  toClient(method: string, params: unknown): { connection: number; params: unknown } | undefined {
    const traits = notificationTraits(method);
    if (traits.ends) this.#ended(keyOf(traits, params) ?? "");
    const field = traits.ownId;
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
    const { cancels, ownId: field } = requestTraits(method);
    if (cancels) {
      const message = messageKey(connection, fields["requestId"]);
      // Unknown ones are named so that they are nobody's.
      return { ...fields, requestId: this.#messages.get(message) ?? message };
    }
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
function idOf({ ownId = "threadId" }: IdTraits, params: unknown): Params {
  return { [ownId]: fieldsOf(params)[ownId] };
}

/** Names a thing that can be ended: by the kind of its id, and the id. */
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
