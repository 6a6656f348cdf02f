import fc from "fast-check";
import { expect } from "vitest";
import { ThreadFold, type ThreadEvent } from "codexwright/client";
import { METHODS } from "codexwright/protocol";
import { verifies } from "@codexwright/test-support/verifies";
import { completed, ended, message, running, said, THREAD } from "../client/state/events.ts";
import { CASES, FUZZ } from "./cases.ts";

const key = fc.constantFrom(
  "threadId",
  "turnId",
  "itemId",
  "turn",
  "item",
  "delta",
  "status",
  "thread",
  "id",
);
const value = fc.oneof(
  fc.constantFrom<unknown>(
    THREAD,
    "u1",
    "a",
    null,
    0,
    {},
    [],
    { id: "u1" },
    { id: "a", type: "agentMessage" },
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const params = fc.oneof(fc.dictionary(key, value, { maxKeys: 6 }), fc.jsonValue({ maxDepth: 0 }));
const method = fc.oneof(
  fc.constantFrom(...Object.keys(METHODS.serverNotifications)),
  fc.constantFrom("serverRequest/opened", "thread/seeded", "nobody/knows", ""),
);
const event = fc
  .record({ method, params })
  .map(({ method: name, params: shape }) => ({ method: name, params: shape }) as unknown as ThreadEvent);

verifies(
  "fuzz.reducer",
  "events of any shape never stop the reducer and never cause a valid message to be lost",
  () => {
    // A random event may change its own turn and item. The valid events have other ids.
    const valid = [
      running,
      said("ours", "Hel"),
      said("ours", "lo"),
      completed(message("ours", "Hello")),
      ended,
    ];
    fc.assert(
      fc.property(fc.array(event, { minLength: valid.length, maxLength: valid.length }), (noise) => {
        const fold = new ThreadFold(THREAD);
        for (const [index, each] of noise.entries()) {
          applyAny(fold, each);
          const next = valid[index];
          if (next) fold.apply(next);
          expect(fold.state.threadId).toBe(THREAD);
        }
        JSON.stringify(fold.state);
        if (noise.every(harmless)) {
          const items = fold.state.turns.flatMap((turn) => turn.items);
          const ours = items.filter((entry) => entry.item.id === "ours").map((entry) => entry.item);
          expect(ours).toEqual([expect.objectContaining({ text: "Hello" })]);
        }
      }),
      { seed: 14, numRuns: CASES },
    );
  },
  FUZZ,
);

/**
 * If the reducer cannot read a notification, a client reports it as a bad line and continues. This function does the
 * same.
 */
function applyAny(fold: ThreadFold, each: ThreadEvent): void {
  try {
    fold.apply(each);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
  }
}

/** Returns false for events that may replace or remove history. */
function harmless(each: ThreadEvent): boolean {
  return !["thread/seeded", "thread/reverted", "turn/started", "turn/completed"].includes(each.method);
}
