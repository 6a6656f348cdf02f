import { CommandError, EXIT } from "../shared/command-error.ts";

/** How long cleaning up may take after a second Ctrl-C. It usually takes a twentieth of that. */
const PATIENCE_MS = 1_000;

/** Ends a turn: cleanly on the first request, immediately on the second. */
export interface Stop {
  /** Aborts the turn. Its `reason` is the error that the command ends with. */
  readonly signal: AbortSignal;
  readonly isStopping: boolean;
  /** Ctrl-C. */
  readonly interrupt: () => void;
  /** The terminal is gone, so a second Ctrl-C cannot come. */
  readonly hangUp: () => void;
  /** Ends the turn because it exceeded a limit. */
  readonly end: (error: CommandError) => void;
  /** Stops listening to signals. */
  readonly close: () => void;
}

/** @param quit stops whatever is still running */
export function listenForStop(quit: () => void): Stop {
  const controller = new AbortController();
  const { signal } = controller;
  function interrupt(): void {
    if (!signal.aborted) {
      controller.abort(new CommandError("interrupted", EXIT.interrupted, "The turn was interrupted."));
      return;
    }
    setTimeout(() => process.exit(EXIT.interrupted), PATIENCE_MS).unref();
    quit();
  }
  function hangUp(): void {
    if (!signal.aborted) interrupt();
  }
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt).on("SIGHUP", hangUp);
  return {
    signal,
    get isStopping() {
      return signal.aborted;
    },
    interrupt,
    hangUp,
    end: (error) => controller.abort(error),
    close: () => void process.off("SIGINT", interrupt).off("SIGTERM", interrupt).off("SIGHUP", hangUp),
  };
}
