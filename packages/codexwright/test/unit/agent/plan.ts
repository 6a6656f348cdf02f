import { event, log, slice, type Clock } from "codexwright/agent";
import { z } from "zod";

export const AddStep = event("plan/addStep", z.object({ step: z.string() }));
export const Rename = event("plan/rename", z.object({ title: z.string() }));

export const Plan = slice("plan", {
  schema: z.object({ title: z.string(), steps: z.array(z.string()) }),
  initial: { title: "untitled", steps: [] },
  on: (on) => [
    on(AddStep, (state, { step }) => ({ ...state, steps: [...state.steps, step] })),
    on(Rename, (state, { title }) => ({ ...state, title })),
  ],
});

/** Reacts to the same events as the plan. */
export const Counter = slice("counter", {
  schema: z.object({ count: z.number() }),
  initial: { count: 0 },
  on: (on) => [on(AddStep, ({ count }) => ({ count: count + 1 }))],
});

export const Findings = log("findings", z.object({ file: z.string(), line: z.number().default(1) }));

export const slices = [Plan, Counter, Findings];

/** A clock that moves only by `advance`, which also runs due timers. */
export function fakeClock(start = 0): Clock & { advance(ms: number): void } {
  let now = start;
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => now,
    after: (ms, run) => {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (ms) => {
      now += ms;
      for (const timer of timers) {
        if (timer.at > now) continue;
        timers.delete(timer);
        timer.run();
      }
    },
  };
}
