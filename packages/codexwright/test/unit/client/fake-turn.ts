import { CodexClient, type CodexClientOptions, type Thread } from "codexwright";
import { wireScript, type WireScript, type WireStep } from "@codexwright/testing";
import type { VerifiesOptions } from "@codexwright/test-support/verifies";

export const FAKE: VerifiesOptions = { against: "fake" };
export const ids = { threadId: "t1", turnId: "u1" };
export const accepted: WireStep = {
  on: "turn/start",
  result: { turn: { id: "u1", status: "inProgress", items: [] } },
};
export const running: WireStep = note("turn/started", { threadId: "t1", turn: { id: "u1" } });

export function note(method: string, params: object): WireStep {
  return { send: { method, params } };
}

export function completed(status: string, more: object = {}): WireStep {
  return note("turn/completed", { threadId: "t1", turn: { id: "u1", status, items: [], ...more } });
}

export function message(id: string, text: string, phase: string | null = null): WireStep {
  return note("item/completed", { ...ids, item: { type: "agentMessage", id, text, phase } });
}

export async function connected(script: readonly WireStep[], options: CodexClientOptions = {}) {
  const fake: WireScript = wireScript({ script });
  const codex = await CodexClient.connect({ ...options, transport: fake.transport } as CodexClientOptions);
  const thread: Thread = codex.thread("t1");
  const methods = (): unknown[] => fake.received.flatMap(({ method }) => method ?? []).slice(3);
  return { codex, fake, thread, methods, [Symbol.asyncDispose]: () => codex.disconnect() };
}
