import type { Clock } from "../ports.ts";

/** The longest time that a timer of JavaScript can wait. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The clock of the machine. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after(ms, call, background = false) {
    const timer = setTimeout(call, Math.min(ms, MAX_TIMEOUT_MS));
    if (background) (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer);
  },
};
