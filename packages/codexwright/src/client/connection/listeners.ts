import type { ServerNotifications, ServerRequests } from "../../protocol/index.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import { checkArgument, text } from "../../rpc/options/check.ts";
import type { WireMessage } from "../../rpc/message.ts";
import type { ServerRequest } from "./server-request.ts";

export type NotificationListener<M extends keyof ServerNotifications> = (
  params: ServerNotifications[M],
  message: WireMessage,
) => void;

export type ServerRequestHandler<M extends keyof ServerRequests> = (
  params: ServerRequests[M]["params"],
  request: ServerRequest,
) => ServerRequests[M]["result"] | Promise<ServerRequests[M]["result"]>;

/**
 * Throws when a listener is added that is not a function. Without this check, the error would appear only when an
 * event is emitted, far from the mistake.
 */
export function checkListener(listener: unknown): void {
  if (typeof listener === "function") return;
  throw new InvalidArgumentError(`listener must be a function (got ${typeof listener})`);
}

/** Listeners by method. Dispatching to a method without listeners costs one lookup. */
export class ListenerTable<L extends (...args: never[]) => unknown> {
  readonly #byMethod = new Map<string, Registrations<L>>();

  /** Returns a function that removes this registration only; others of the same function stay. */
  add(method: string, listener: L): () => void {
    checkArgument("the listener", "method", method, text);
    checkListener(listener);
    const entry = { listener };
    const registrations = this.#byMethod.get(method) ?? { entries: new Set(), list: undefined };
    this.#byMethod.set(method, registrations);
    registrations.entries.add(entry);
    registrations.list = undefined;
    return () => {
      if (!registrations.entries.delete(entry)) return;
      registrations.list = undefined;
      if (registrations.entries.size === 0) this.#byMethod.delete(method);
    };
  }

  /** The current listeners, oldest first. Later changes do not affect the returned list. */
  get(method: string): readonly { readonly listener: L }[] {
    const registrations = this.#byMethod.get(method);
    if (!registrations) return NONE;
    registrations.list ??= [...registrations.entries];
    return registrations.list;
  }
}

interface Registrations<L> {
  readonly entries: Set<{ readonly listener: L }>;
  /** Created on demand: rebuilding it for each change would take quadratic time. */
  list: readonly { readonly listener: L }[] | undefined;
}

const NONE: readonly never[] = [];
