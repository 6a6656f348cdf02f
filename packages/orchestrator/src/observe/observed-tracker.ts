import type { Tracker } from "../domain/tracker.ts";
import type { Telemetry } from "./telemetry.ts";

/** A tracker whose calls are counted, each in a span. The calls of its tools have spans, too. */
export function observedTracker(tracker: Tracker, telemetry: Telemetry): Tracker {
  const observed = async <T>(operation: string, size: number, call: () => Promise<T>): Promise<T> =>
    await telemetry.span("tracker", { operation, kind: tracker.profile.kind, size }, async () => {
      try {
        const result = await call();
        telemetry.requested(operation, "ok");
        return result;
      } catch (error) {
        telemetry.requested(operation, "error");
        throw error;
      }
    });
  return {
    profile: tracker.profile,
    byStates: async (states, signal) =>
      await observed("by_states", states.length, async () => await tracker.byStates(states, signal)),
    byIds: async (ids, signal) =>
      await observed("by_ids", ids.size, async () => await tracker.byIds(ids, signal)),
    tools: (issue) =>
      tracker.tools(issue).map((tool) => ({
        ...tool,
        run: async (input: never, context): Promise<unknown> =>
          await telemetry.span("tool", { tool: tool.name }, async () => await tool.run(input, context)),
      })),
    close: async () => await tracker.close(),
    [Symbol.asyncDispose]: async () => await tracker.close(),
  };
}
