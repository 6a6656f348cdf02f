import { isJsonObject } from "../../rpc/json.ts";
import type { RequestId } from "../../rpc/message.ts";
import { requestTraits } from "../../protocol/traits/client-requests.ts";
import { threadOf, type Classified } from "../exchanges.ts";

/**
 * Maps the name of a member to the kind of id that it contains. `OBJECTS` lists the objects that contain their own id.
 */
const ID_FIELDS: Readonly<Record<string, string>> = {
  threadId: "thread",
  conversationId: "thread",
  forkedFromId: "thread",
  parentThreadId: "thread",
  senderThreadId: "thread",
  newThreadId: "thread",
  reviewThreadId: "thread",
  receiverThreadIds: "thread",
  threadIds: "thread",
  sessionId: "session",
  turnId: "turn",
  expectedTurnId: "turn",
  rootTurnId: "turn",
  lastTurnId: "turn",
  beforeTurnId: "turn",
  itemId: "item",
  callId: "item",
  processId: "process",
  watchId: "watch",
  loginId: "login",
  approvalId: "approval",
  clientUserMessageId: "client-message",
  clientId: "client-message",
  // Cursors are opaque and defined by the server.
  cursor: "cursor",
  nextCursor: "cursor",
  backwardsCursor: "cursor",
  itemsBackwardsCursor: "cursor",
  turnsBackwardsCursor: "cursor",
};
/** Kinds of objects that have an `id`, by member name. */
const OBJECTS: Readonly<Record<string, string>> = {
  thread: "thread",
  turn: "turn",
  item: "item",
  threads: "thread",
  turns: "turn",
  items: "item",
};
/** Ids that are unique only within their thread: on 0.98, two threads both have a turn "0". */
const SCOPED = new Set(["turn", "item"]);
export const UUID: RegExp =
  /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-z])/gi;
/** Matches the versions of configuration files. */
const HASH = /\bsha256:[0-9a-f]{64}\b/g;

/**
 * Gives ids names in the order of their appearance, so that corresponding ids in two runs of the same program get the
 * same name.
 */
export class Names {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** Ids that can be recognised anywhere in a text. */
  readonly #anywhere = new Map<string, string>();
  readonly #requests = new Map<Classified, string>();
  readonly #serverRequests = new Map<string, string>();

  constructor(messages: readonly Classified[]) {
    const answers = new Map(messages.map((message) => [message.request, message]));
    for (const message of messages) {
      // Name threads in the order of the requests that opened them, not in the order of the answers.
      if (message.kind !== "request" || requestTraits(message.method ?? "").opens !== "thread") continue;
      const answer = answers.get(message);
      const thread = answer && threadOf({ ...answer, request: undefined });
      if (thread !== undefined) this.#name("thread", undefined, thread);
    }
    for (const message of messages) {
      this.#nameRequest(message);
      this.#collect(message.entry.message, undefined, threadOf(message), message.entry.direction);
    }
  }

  /** Returns the name of a request. Its response has the same name. */
  request(message: Classified): string | undefined {
    return this.#requests.get(message.request ?? message);
  }

  /** Returns the name of a server request by the id that `serverRequest/resolved` reports. */
  serverRequest(connection: number, id: unknown): string | undefined {
    return this.#serverRequests.get(`${connection} ${JSON.stringify(id)}`);
  }

  /** Returns the name for the value of a member, if it is an id. */
  id(
    field: string,
    parent: string | undefined,
    value: string,
    thread: string | undefined,
  ): string | undefined {
    const kind = kindOf(field, parent);
    if (kind === undefined) return this.#anywhere.get(value);
    // A call has the same name as its item.
    return this.#names.get(keyOf(kind, thread, value)) ?? this.#anywhere.get(value);
  }

  /** Replaces the ids in a text by their names. */
  text(text: string): string {
    return text
      .replaceAll(UUID, (uuid) => this.#anywhere.get(uuid) ?? this.#name("uuid", undefined, uuid))
      .replaceAll(HASH, (hash) => this.#name("sha256", undefined, hash));
  }

  #nameRequest(message: Classified): void {
    const { kind, entry, id } = message;
    if (kind !== "request") return;
    if (entry.direction === "out")
      return void this.#requests.set(message, `request-${this.#count("request", undefined)}`);
    const thread = threadOf(message);
    // The server sends the same request to several connections, and again after a reconnect.
    const asked = keyOf("server-request", thread, `${thread} ${JSON.stringify(id)}`);
    const name =
      this.#names.get(asked) ??
      `${this.#scope(thread)}server-request-${this.#count("server-request", thread)}`;
    this.#names.set(asked, name);
    this.#requests.set(message, name);
    this.#serverRequests.set(
      `${entry.connection} ${JSON.stringify(id satisfies RequestId | undefined)}`,
      name,
    );
  }

  #collect(
    value: unknown,
    parent: string | undefined,
    thread: string | undefined,
    direction: "in" | "out",
  ): void {
    if (Array.isArray(value)) {
      for (const each of value) this.#collect(each, parent, thread, direction);
      return;
    }
    if (!isJsonObject(value)) return;
    for (const [field, member] of Object.entries(value)) {
      const kind = kindOf(field, parent);
      const ids = kind === undefined ? [] : [member].flat();
      for (const id of ids)
        if (kind !== undefined && typeof id === "string") this.#name(kind, thread, id, direction);
    }
    // A thread object contains its own id. In a page of a list, that is not the thread of the request.
    const own = OBJECTS[parent ?? ""] === "thread" && typeof value["id"] === "string" ? value["id"] : thread;
    for (const [field, member] of Object.entries(value)) this.#collect(member, field, own, direction);
  }

  #name(kind: string, thread: string | undefined, id: string, direction: "in" | "out" = "in"): string {
    const key = keyOf(kind, thread, id);
    const known = this.#names.get(key) ?? this.#anywhere.get(id);
    if (known !== undefined) {
      this.#names.set(key, known);
      return known;
    }
    const scope = SCOPED.has(kind) ? thread : undefined;
    // A server can give the same cursor twice or two cursors, depending on the time. So a cursor of the client's own is
    // counted apart: its name must not depend on how many cursors the server gave.
    const counted = kind === "cursor" && direction === "out" ? "client-cursor" : kind;
    const name = `${this.#scope(scope)}${counted}-${this.#count(counted, scope)}`;
    this.#names.set(key, name);
    if (isUuid(id)) this.#anywhere.set(id, name);
    return name;
  }

  #scope(thread: string | undefined): string {
    return thread === undefined ? "" : `${this.#name("thread", undefined, thread)}/`;
  }

  #count(kind: string, scope: string | undefined): number {
    const key = `${kind} ${scope ?? ""}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}

function kindOf(field: string, parent: string | undefined): string | undefined {
  if (field === "id") return OBJECTS[parent ?? ""];
  return ID_FIELDS[field];
}

function keyOf(kind: string, thread: string | undefined, id: string): string {
  return JSON.stringify([kind, SCOPED.has(kind) ? (thread ?? null) : null, id]);
}

function isUuid(text: string): boolean {
  return text.length === 36 && text.replace(UUID, "") === "";
}
