import type { CodexClient, Thread } from "codexwright/client";
import type { ServerNotifications } from "codexwright/protocol";
import type { Scenario, ScenarioRun, ScenarioSetup, World } from "@codexwright/testing";

/** Steps of a case, with a connected client. The comparison checks the messages, so a case seldom checks anything. */
type Steps = (codex: CodexClient, world: World) => Promise<void>;

/** A run with a client that answers approvals and questions as `connect` says. */
export function steps(
  setup: ScenarioSetup,
  perform: Steps,
  options: Parameters<World["connect"]>[0] = {},
): ScenarioRun {
  return { ...setup, run: async (world) => perform(await world.connect(options), world) };
}

/** Defines a case: a scenario whose messages and model requests must be the same on both servers. */
export function differential(
  id: string,
  statement: string,
  begin: ScenarioRun | (() => ScenarioRun),
): Scenario {
  return { id, statement, begin: typeof begin === "function" ? begin : () => begin };
}

/** A case that starts a thread, and runs one turn for each text. A turn may fail. */
export function turns(
  setup: ScenarioSetup,
  texts: readonly string[] = ["go"],
  options: Parameters<World["connect"]>[0] = {},
): ScenarioRun {
  return steps(
    setup,
    async (codex) => {
      const thread = await codex.startThread();
      for (const text of texts) await run(thread, text);
    },
    options,
  );
}

/** Runs a turn to its end, however it ends. */
export async function run(thread: Thread, input: Parameters<Thread["run"]>[0]): Promise<void> {
  await thread.run(input).catch(() => {});
}

/** Sends any request. An error is an answer too, which the comparison sees. */
export async function ask(codex: CodexClient, method: string, params: unknown): Promise<Answer> {
  const request = codex.request as (method: string, params: unknown) => Promise<unknown>;
  return request.call(codex, method, params).then(
    (result) => result as Answer,
    () => ({}),
  );
}

/** An answer whose shape the case knows. */
export type Answer = { readonly [member: string]: Answer } & { readonly [index: number]: Answer };

/** Resolves with the next notification that fits. Call this before the action that causes the notification. */
export function heard<M extends keyof ServerNotifications>(
  codex: CodexClient,
  method: M,
  fits: (params: ServerNotifications[M]) => boolean = () => true,
): Promise<ServerNotifications[M]> {
  return new Promise((resolve) => {
    const stop = codex.onNotification(method, (params) => {
      if (!fits(params)) return;
      stop();
      resolve(params);
    });
  });
}

/** The id that the engine gave a background command, from its answer to the model. */
export function sessionIn(output: string | undefined): number {
  return Number(/session ID (\d+)/i.exec(output ?? "")?.[1] ?? -1);
}
