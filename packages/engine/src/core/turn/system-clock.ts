import type { Clock } from "../ports.ts";

/** The clock of the machine. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
