import { CodexClient, type CodexClientOptions, type Thread } from "codexwright";
import { fakeAppServer, type FakeAppServer, type FakeStep } from "codexwright/testing";
import type { VerifiesOptions } from "../../../../../test/support/verifies.ts";

export const FAKE: VerifiesOptions = { against: "fake" };
export const ids = { threadId: "t1", turnId: "u1" };
export const accepted: FakeStep = {
  on: "turn/start",
  result: { turn: { id: "u1", status: "inProgress", items: [] } },
};
export const running: FakeStep = note("turn/started", { threadId: "t1", turn: { id: "u1" } });

export function note(method: string, params: object): FakeStep {
  return { send: { method, params } };
}

export function completed(status: string, more: object = {}): FakeStep {
  return note("turn/completed", { threadId: "t1", turn: { id: "u1", status, items: [], ...more } });
}

export function message(id: string, text: string, phase: string | null = null): FakeStep {
  return note("item/completed", { ...ids, item: { type: "agentMessage", id, text, phase } });
}

export async function connected(script: readonly FakeStep[], options: CodexClientOptions = {}) {
  const fake: FakeAppServer = fakeAppServer({ script });
  const codex = await CodexClient.connect({ ...options, transport: fake.transport } as CodexClientOptions);
  const thread: Thread = codex.thread("t1");
  const methods = (): unknown[] => fake.received.flatMap(({ method }) => method ?? []).slice(3);
  return { codex, fake, thread, methods, [Symbol.asyncDispose]: () => codex.disconnect() };
}
