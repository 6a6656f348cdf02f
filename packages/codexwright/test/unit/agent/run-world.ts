import { CodexClient, type ClientOptions } from "codexwright/client";
import {
  CodexAgent,
  definePrompt,
  section,
  type AgentEvent,
  type AgentOptions,
  type Run,
} from "codexwright/agent";
import { fakeAppServer, wireScript, type FakeAppServerOptions, type WireStep } from "@codexwright/testing";

/** A prompt that contains only "Go." */
export const plain = definePrompt({
  id: "plain",
  sections: [section({ key: "a", title: "A", body: "Go." })],
});

/** An agent on the fake server. */
export async function fakeWorld(
  options: FakeAppServerOptions,
  { agent: more = {}, client = {} }: { agent?: Partial<AgentOptions>; client?: Partial<ClientOptions> } = {},
) {
  const fake = fakeAppServer(options);
  let connects = 0;
  const agent = await CodexAgent.open({
    connect: async () => {
      connects++;
      return await CodexClient.connect({ transport: fake.transport, ...client });
    },
    ...more,
  });
  return {
    agent,
    fake,
    get connects() {
      return connects;
    },
    [Symbol.asyncDispose]: async () => {
      await agent[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
}

const TURN = { id: "turn", items: [], status: "inProgress", error: null };

/** A server that starts one thread and one turn, plays these steps, and ends the turn. */
export function oneTurn(steps: readonly WireStep[]): ReturnType<typeof wireScript> {
  const thread = { id: "thread", cwd: "/", turns: [], status: { type: "idle" } };
  return wireScript({
    script: [
      { on: "thread/start", result: { thread, model: "m", approvalPolicy: "never" } },
      { on: "turn/start", result: { turn: TURN } },
      { send: { method: "turn/started", params: { threadId: "thread", turn: TURN } } },
      ...steps,
      {
        send: {
          method: "turn/completed",
          params: { threadId: "thread", turn: { ...TURN, status: "completed" } },
        },
      },
      { on: "thread/unsubscribe", result: { status: "unsubscribed" } },
    ],
  });
}

/** A notification that an item is complete. */
export function completed(item: Readonly<Record<string, unknown>>): WireStep {
  const params = { threadId: "thread", turnId: "turn", item, completedAtMs: 0 };
  return { send: { method: "item/completed", params } };
}

/** The events of one type, in order. */
export function eventsOf<T extends AgentEvent["type"]>(
  run: Pick<Run, "events">,
  type: T,
): Extract<AgentEvent, { type: T }>[] {
  return run.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}
