import type { RealtimeEvent } from "codexwright";
import type { WireStep } from "@codexwright/testing";
import { note } from "../../fake-turn.ts";

const threadId = "t1";
const OK = { result: {} };

export const start: WireStep = { on: "thread/realtime/start", ...OK };
export const append: WireStep = { on: "thread/realtime/appendText", ...OK };
export const stop: WireStep = { on: "thread/realtime/stop", ...OK };
/** A request that continues the script. When it is answered, everything before it has arrived. */
export const cue: WireStep = { on: "account/logout", ...OK };

export const started: WireStep = note("thread/realtime/started", {
  threadId,
  realtimeSessionId: "s1",
  version: "v2",
});

export function closed(reason: string): WireStep {
  return note("thread/realtime/closed", { threadId, reason });
}

export function failed(message: string): WireStep {
  return note("thread/realtime/error", { threadId, message });
}

export function delta(text: string, role = "assistant"): WireStep {
  return note("thread/realtime/transcript/delta", { threadId, role, delta: text });
}

export function done(text: string): WireStep {
  return note("thread/realtime/transcript/done", { threadId, role: "assistant", text });
}

/** Returns the names of all events up to the end; an error of the iteration is the last entry. */
export async function toTheEnd(realtime: AsyncIterable<RealtimeEvent>): Promise<unknown[]> {
  const seen: unknown[] = [];
  try {
    for await (const { method } of realtime) seen.push(method.replace("thread/realtime/", ""));
  } catch (error) {
    seen.push(error);
  }
  return seen;
}
