import type { ServerLease } from "codexwright/stdio";

/** How often the lease is looked at. */
const LOOK_MS = 1000;

/** Hooks end this long before the lease. The guards of app-servers need less. */
const MARGIN_MS = 3000;

/** Runs work that goes on when the run itself was stopped. The signal aborts before the lease is over. */
export async function whileLeased(
  lease: ServerLease,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const look = (): void => {
    if (lease.remainingMs <= MARGIN_MS) controller.abort(new Error("the lease of the run is over"));
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  try {
    await work(controller.signal);
  } finally {
    clearInterval(timer);
  }
}
