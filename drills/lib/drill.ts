import type { DrillRun } from "./drill-run.ts";

/** How much of it: `small` for the suite, `short` by hand, `long` for a night. */
export const FORMS = ["small", "short", "long"] as const;
export type Form = (typeof FORMS)[number];

/** One fault, done to a real server in a process of its own. */
export interface Drill {
  readonly name: string;
  /** What is done, as the table says it. */
  readonly fault: string;
  /** What the machine must have; the reason why not where it has not. */
  readonly needs?: () => string | undefined;
  /** Preloaded into the drill's process; its paths begin in the drill's folder. */
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  run(run: DrillRun): Promise<void>;
}

/** One thing that a user sees, however often. */
export interface Sight {
  readonly what: string;
  /** Class and code of an error, or what worked. */
  readonly outcome: string;
  readonly times: number;
  /** From the fault to here, in milliseconds. */
  readonly medianMs: number;
  readonly mostMs: number;
}

/** What a drill's process tells. */
export interface DrillReport {
  readonly sights: readonly Sight[];
  /** Further figures, in words. */
  readonly facts: readonly string[];
  /** What its own process still held when all was over. */
  readonly left: readonly string[];
}
