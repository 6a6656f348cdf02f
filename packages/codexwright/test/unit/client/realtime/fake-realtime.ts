import type { RealtimeEvent } from "codexwright";
import type { FakeStep } from "codexwright/testing";
import { note } from "../fake-turn.ts";

const threadId = "t1";
const OK = { result: {} };

export const start: FakeStep = { on: "thread/realtime/start", ...OK };
export const append: FakeStep = { on: "thread/realtime/appendText", ...OK };
export const stop: FakeStep = { on: "thread/realtime/stop", ...OK };
/** A request that lets the script go on, and that is answered when all before it has been heard. */
export const cue: FakeStep = { on: "account/logout", ...OK };

export const started: FakeStep = note("thread/realtime/started", {
  threadId,
  realtimeSessionId: "s1",
  version: "v2",
});

export function closed(reason: string): FakeStep {
  return note("thread/realtime/closed", { threadId, reason });
}

export function failed(message: string): FakeStep {
  return note("thread/realtime/error", { threadId, message });
}

export function delta(text: string, role = "assistant"): FakeStep {
  return note("thread/realtime/transcript/delta", { threadId, role, delta: text });
}

export function done(text: string): FakeStep {
  return note("thread/realtime/transcript/done", { threadId, role: "assistant", text });
}

/** The names of all events up to the end; the error that iterating ended with comes last. */
export async function toTheEnd(realtime: AsyncIterable<RealtimeEvent>): Promise<unknown[]> {
  const seen: unknown[] = [];
  try {
    for await (const { method } of realtime) seen.push(method.replace("thread/realtime/", ""));
  } catch (error) {
    seen.push(error);
  }
  return seen;
}
