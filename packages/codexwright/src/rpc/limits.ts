import { InvalidArgumentError } from "./errors.ts";

/** Timers take a 32-bit number of milliseconds; more would fire at once. */
export function checkMs(name: string, ms: number | undefined): void {
  if (ms === undefined || (typeof ms === "number" && ms >= 0 && ms <= 2 ** 31 - 1)) return;
  throw new InvalidArgumentError(
    `${name} is ${String(ms)}: give milliseconds from 0 (no limit) to ${2 ** 31 - 1}`,
  );
}

/** An AbortController in place of its signal, say, would be noticed only where it is listened to: too late to refuse it. */
export function checkSignal(signal: AbortSignal | undefined): void {
  // By what is used of it, not by its class: some runtimes and polyfills have their own.
  if (!signal || typeof signal.addEventListener === "function") return;
  throw new InvalidArgumentError("signal is no AbortSignal: give the signal of a controller");
}
