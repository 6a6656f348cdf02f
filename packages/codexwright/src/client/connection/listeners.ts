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

/** Told where it is given: called later, it would fail once an event, far from the mistake. */
export function checkListener(listener: unknown): void {
  if (typeof listener === "function") return;
  throw new InvalidArgumentError(`the listener is ${typeof listener}: give a function`);
}

/** Listeners by method; dispatching to a method nobody listens to costs one look-up. */
export class ListenerTable<L extends (...args: never[]) => unknown> {
  readonly #byMethod = new Map<string, Registrations<L>>();

  /** Returns how to take this registration out again; others of the same function stay. */
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

  /** Those of now, oldest first; who comes or goes later does not change it. */
  get(method: string): readonly { readonly listener: L }[] {
    const registrations = this.#byMethod.get(method);
    if (!registrations) return NONE;
    registrations.list ??= [...registrations.entries];
    return registrations.list;
  }
}

interface Registrations<L> {
  readonly entries: Set<{ readonly listener: L }>;
  /** Made when somebody asks: to make one for each that comes or goes costs the square of their number. */
  list: readonly { readonly listener: L }[] | undefined;
}

const NONE: readonly never[] = [];
