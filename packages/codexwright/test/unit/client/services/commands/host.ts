import type { ServerNotifications } from "codexwright/protocol";
import type { ServiceHost } from "../../../../../src/client/services/service-host.ts";
import { ConnectionClosedError, type CloseReason } from "../../../../../src/rpc/errors.ts";
import { deferred } from "@codexwright/test-support/events";

interface Asked {
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly signal: AbortSignal | undefined;
  answer(result: unknown): void;
  refuse(error: unknown): void;
}

/** A minimal client: the test acts as the server and answers the requests. */
export function fakeHost(version = "0.166.0") {
  const asked: Asked[] = [];
  const waiters = new Map<string, ((each: Asked) => void)[]>();
  const listeners = new Map<string, (params: never) => void>();
  const closers = new Set<(reason: CloseReason) => void>();
  const warnings: string[] = [];
  const host = {
    request: (method: string, params: Record<string, unknown>, options?: { signal?: AbortSignal }) => {
      const outcome = deferred<unknown>();
      const each: Asked = {
        method,
        params,
        signal: options?.signal,
        answer: (result) => outcome.resolve(result),
        refuse: (error) => outcome.reject(error),
      };
      asked.push(each);
      waiters.get(method)?.shift()?.(each);
      return outcome.promise;
    },
    onNotification: (method: string, listener: (params: never) => void) => {
      listeners.set(method, listener);
      return () => listeners.delete(method);
    },
    onClosed: (listener: (reason: CloseReason) => void) => {
      closers.add(listener);
      return () => closers.delete(listener);
    },
    serverVersion: () => version,
    warn: (code: string) => warnings.push(code),
  } as unknown as ServiceHost;

  return {
    host,
    asked,
    warnings,
    methods: (): string[] => asked.map(({ method }) => method),
    /** Resolves with the next request of this method. */
    next: (method: string): Promise<Asked> =>
      new Promise((resolve) => waiters.set(method, [...(waiters.get(method) ?? []), resolve])),
    notify: <M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void => {
      (listeners.get(method) as ((params: ServerNotifications[M]) => void) | undefined)?.(params);
    },
    /** Ends the connection: everything pending rejects, as in the client. */
    close: (): void => {
      const reason: CloseReason = { message: "gone" };
      for (const each of asked) each.refuse(new ConnectionClosedError(reason, "unknown"));
      for (const closer of closers) closer(reason);
    },
  };
}
