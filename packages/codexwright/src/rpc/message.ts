/** A JSON-RPC id. Each end counts from 0, so the ids of the two directions overlap. */
export type RequestId = number | string;

/** The error member of a response. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A JSON-RPC message without the `jsonrpc` member, as read from the wire. Unknown members are kept. */
export interface WireMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: RpcErrorObject;
  /** The server's time of a notification, on servers that include it. */
  readonly emittedAtMs?: number;
}

/** The kind of a line. */
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
 * Distinguishes requests, notifications and responses by which keys are present, never by the value of the id: 0 and ""
 * are valid ids. A message with a method and `id: null` cannot be answered, so it is a notification.
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
