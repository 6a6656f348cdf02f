import { Case, Skipped } from "./case.ts";
import { FAILING } from "./failing.ts";
import type { TrackerHarness } from "./harness.ts";
import { READING } from "./reading.ts";

export type TrackerCheckResult =
  | { readonly outcome: "passed" }
  | { readonly outcome: "skipped"; readonly why: string };

/** One check of an adapter. */
export interface TrackerCheck {
  /** A sentence about the adapter. */
  readonly name: string;
  /**
   * Runs the check on a harness of its own, and disposes the harness. Rejects with an error that says what is wrong.
   * It is skipped if the harness cannot do what it needs.
   */
  readonly run: (harness: TrackerHarness) => Promise<TrackerCheckResult>;
}

/** The checks that every adapter has to pass, for any test runner. */
export const trackerChecks: readonly TrackerCheck[] = [...READING, ...FAILING].map(([name, run]) => ({
  name,
  run: async (harness) => {
    try {
      return await runOn(harness, run);
    } finally {
      await harness[Symbol.asyncDispose]();
    }
  },
}));

async function runOn(harness: TrackerHarness, run: (at: Case) => Promise<void>): Promise<TrackerCheckResult> {
  const at = await Case.open(harness);
  try {
    await run(at);
    return { outcome: "passed" };
  } catch (error) {
    if (error instanceof Skipped) return { outcome: "skipped", why: error.message };
    throw error;
  } finally {
    await at.tracker.close();
  }
}
