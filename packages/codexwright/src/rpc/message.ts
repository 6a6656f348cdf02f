/** A JSON-RPC id. Both ends count from 0 on their own, so ids of the two directions overlap. */
export type RequestId = number | string;

/** The error member of a response. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A message of JSON-RPC without the `jsonrpc` member, as read off the wire; unknown members stay on it. */
export interface WireMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: RpcErrorObject;
  /** Server clock of a notification, on servers that stamp it. */
  readonly emittedAtMs?: number;
}

/** What a line turned out to be. */
export type Incoming =
  | {
      readonly kind: "request";
      readonly id: RequestId;
      readonly method: string;
      readonly message: WireMessage;
    }
  | { readonly kind: "notification"; readonly method: string; readonly message: WireMessage }
  | { readonly kind: "response"; readonly id: RequestId; readonly message: WireMessage }
  | { readonly kind: "malformed"; readonly why: string };

/**
 * Tells requests, notifications and responses apart by which keys are present, never by the value of an
 * id: 0 and "" are ids like any other. `id: null` cannot be answered, so a method with it is a notification.
 */
export function classify(value: unknown): Incoming {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "malformed", why: "not a JSON object" };
  }
  const message = value as WireMessage;
  const { id, method } = message;
  if (method !== undefined) {
    if (typeof method !== "string") return { kind: "malformed", why: "its method is not a string" };
    if (id === undefined || id === null) return { kind: "notification", method, message };
    if (!isRequestId(id)) return { kind: "malformed", why: "its id is neither a number nor a string" };
    return { kind: "request", id, method, message };
  }
  if (!isRequestId(id)) return { kind: "malformed", why: "it has neither a method nor an id" };
  return { kind: "response", id, message };
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === "number" || typeof id === "string";
}
