import { InvalidArgumentError } from "./errors.ts";

/** A timer's longest delay; more would fire at once. */
export const LONGEST_MS: number = 2 ** 31 - 1;

export function checkMs(name: string, ms: number | undefined): void {
  if (ms === undefined || (typeof ms === "number" && ms >= 0 && ms <= LONGEST_MS)) return;
  throw new InvalidArgumentError(
    `${name} is ${String(ms)}: give milliseconds from 0 (no limit) to ${LONGEST_MS}`,
  );
}

/** An AbortController in place of its signal, say, would be noticed only where it is listened to: too late to refuse it. */
export function checkSignal(signal: AbortSignal | undefined): void {
  // By what is used of it, not by its class: some runtimes and polyfills have their own.
  if (!signal || typeof signal.addEventListener === "function") return;
  throw new InvalidArgumentError("signal is no AbortSignal: give the signal of a controller");
}
