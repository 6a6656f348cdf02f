import { isJsonObject } from "../rpc/json.ts";
import { classify, type RequestId } from "../rpc/message.ts";
import type { RecordedEntry, RecordedMessage } from "./format.ts";

/** A recorded message with its kind. */
export interface Classified {
  readonly entry: RecordedMessage;
  readonly kind: "request" | "response" | "notification" | "malformed";
  /** For a response, the method of the request that it answers. */
  readonly method: string | undefined;
  readonly id: RequestId | undefined;
  /** For a response, the request that it answers. */
  readonly request: Classified | undefined;
}

/** Classifies messages and pairs each response with its request. */
export class Classifier {
  /**
   * Unanswered requests, by connection, direction and id. The direction is needed because both ends may use the same
   * ids.
   */
  readonly #open = new Map<string, Classified>();

  classify(entry: RecordedMessage): Classified {
    const incoming = classify(entry.message);
    const { kind } = incoming;
    const id = "id" in incoming ? incoming.id : undefined;
    if (kind !== "response") {
      const method = "method" in incoming ? incoming.method : undefined;
      const classified: Classified = { entry, kind, method, id, request: undefined };
      if (kind === "request") this.#open.set(keyOf(entry.connection, entry.direction, id), classified);
      return classified;
    }
    const key = keyOf(entry.connection, entry.direction === "in" ? "out" : "in", id);
    const request = this.#open.get(key);
    this.#open.delete(key);
    return { entry, kind, method: request?.method, id, request };
  }
}

function keyOf(connection: number, direction: "in" | "out", id: RequestId | undefined): string {
  return `${connection} ${direction} ${JSON.stringify(id)}`;
}

/** Classifies all messages of a recording. */
export function classifyAll(entries: readonly RecordedEntry[]): Map<RecordedEntry, Classified> {
  const classifier = new Classifier();
  const messages = entries.filter((entry) => "message" in entry);
  return new Map(messages.map((entry) => [entry, classifier.classify(entry)]));
}

/** Returns the thread id that the message or its request names, if any. */
export function threadOf({ entry, request }: Classified): string | undefined {
  const { params, result } = entry.message;
  return threadIn(params) ?? threadIn(result) ?? (request && threadOf(request));
}

function threadIn(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const { threadId, conversationId, thread } = value;
  const id = threadId ?? conversationId ?? (isJsonObject(thread) ? thread["id"] : undefined);
  return typeof id === "string" ? id : undefined;
}
