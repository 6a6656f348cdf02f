/** Whether and how the user has asked to stop. */
export interface Stop {
  /** Aborts at the first request: end the work in good order. */
  readonly signal: AbortSignal;
  /** Aborts at the second: only clean up. */
  readonly atOnce: AbortSignal;
  /** What to exit with then, as a shell would report it; 0 before. */
  exitCode(): number;
}

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** The exit code where nobody reads our output any more. */
export const OUTPUT_GONE = 141;

/** How long the cleaning up may take after a second Ctrl-C. Usually it takes a twentieth of that. */
const PATIENCE_MS = 1_000;

/** Lets the first Ctrl-C end the work in good order; the second one ends the process, whatever still runs. */
export function listenForStop(): Stop {
  const controller = new AbortController();
  const impatience = new AbortController();
  let exitCode = 0;
  function stop(code: number): void {
    if (controller.signal.aborted) return;
    exitCode = code;
    controller.abort();
  }
  function hurry(): void {
    impatience.abort();
    setTimeout(() => process.exit(exitCode), PATIENCE_MS).unref();
  }
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      // Only the same once more is impatience: a terminal that closes sends one signal after another.
      if (exitCode === code && signal !== "SIGHUP") hurry();
      else stop(code);
    });
  }
  // `npm start | head`, or a closed terminal: with nobody to show it to, go on only to clean up.
  process.stdout.on("error", () => stop(OUTPUT_GONE));
  process.stderr.on("error", () => {});
  return { signal: controller.signal, atOnce: impatience.signal, exitCode: () => exitCode };
}
