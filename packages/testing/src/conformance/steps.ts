import type { CodexClient } from "codexwright/client";
import type { TurnEvent } from "codexwright/client";
import type { Turn } from "codexwright/client";
import type { ServerNotifications, ThreadItem } from "codexwright/protocol";
import { atLeast } from "codexwright/protocol";
import { ExpectationError } from "./expect.ts";
import { handled } from "./handled.ts";
import type { Scenario, ScenarioNeeds, ScenarioRun, World } from "./scenario.ts";

/** Defines a scenario. `begin` may be the run itself if it can be used more than once. */
export function scenario(
  id: string,
  statement: string,
  begin: ScenarioRun | (() => ScenarioRun),
  needs?: ScenarioNeeds,
): Scenario {
  return {
    id,
    statement,
    ...(needs && { needs }),
    begin: typeof begin === "function" ? begin : () => begin,
  };
}

/** Whether the server behaves like this Codex version or a newer one, for values that differ between versions. */
export function since({ version }: World, first: string): boolean {
  return atLeast(version, first);
}

/** Resolves with the next notification that matches. Call this before the action that causes the notification. */
export function heard<M extends keyof ServerNotifications>(
  codex: CodexClient,
  method: M,
  fits: (params: ServerNotifications[M]) => boolean = () => true,
): Promise<ServerNotifications[M]> {
  return handled(
    new Promise((resolve, reject) => {
      const stop = codex.onNotification(method, (params) => {
        if (!fits(params)) return;
        stop();
        resolve(params);
      });
      codex.once("exit", ({ message }) => reject(new ExpectationError(`no ${method}: ${message}`)));
    }),
  );
}

/** Collects all notifications of these methods from now on, in the returned list. */
export function collect<M extends keyof ServerNotifications>(
  codex: CodexClient,
  ...methods: readonly M[]
): { readonly method: M; readonly params: ServerNotifications[M] }[] {
  const list: { method: M; params: ServerNotifications[M] }[] = [];
  for (const method of methods) codex.onNotification(method, (params) => list.push({ method, params }));
  return list;
}

/** Collects every event of a turn until it ends, however it ends. */
export async function eventsOf(turn: Turn): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  try {
    for await (const event of turn) events.push(event);
  } catch {
    // `turn.completed` has the outcome.
  }
  return events;
}

export function ofType<T extends ThreadItem["type"]>(
  items: readonly ThreadItem[],
  type: T,
): Extract<ThreadItem, { type: T }>[] {
  return items.filter((item): item is Extract<ThreadItem, { type: T }> => item.type === type);
}

/** Sends any method with any params, valid or not. */
export function send(codex: CodexClient, method: string, params?: unknown): Promise<unknown> {
  return (codex.request as (method: string, params: unknown) => Promise<unknown>)(method, params);
}

/**
 * Resolves once the server has processed all earlier requests for a thread. Older servers answer a request first and
 * queue its work. This function sets the thread's name, because that request passes through the same queue.
 */
export async function taken(codex: CodexClient, threadId: string): Promise<void> {
  const named = heard(codex, "thread/name/updated", (params) => params.threadId === threadId);
  await codex.request("thread/name/set", { threadId, name: "taken" });
  await named;
}

/** A promise and a function that resolves it. */
export function deferred<T = void>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

/**
 * Waits a fixed time, to check that something is not answered. Do not use it for anything else: scenarios
 * must not depend on the clock.
 */
export async function pause(ms: number): Promise<undefined> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return undefined;
}
