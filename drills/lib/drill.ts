import type { DrillRun } from "./drill-run.ts";

/** How much a drill does: `small` for the suite, `short` for a manual run, `long` for a night. */
export const FORMS = ["small", "short", "long"] as const;
export type Form = (typeof FORMS)[number];

/** One fault, injected into a real server in its own process. */
export interface Drill {
  readonly name: string;
  /** The fault, in the words of the table. */
  readonly fault: string;
  /** Checks what the machine must have. Returns the reason why the drill cannot run, if it cannot. */
  readonly needs?: () => string | undefined;
  /** Environment of the drill's process; `folder` is the drill's folder. */
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  run(run: DrillRun): Promise<void>;
}

/** Something that a user observes, and how often. */
export interface Sight {
  readonly what: string;
  /** Class and code of an error, or a description of the success. */
  readonly outcome: string;
  readonly times: number;
  /** From the fault until the outcome, in milliseconds. */
  readonly medianMs: number;
  readonly mostMs: number;
}

/** The report of a drill's process. */
export interface DrillReport {
  readonly sights: readonly Sight[];
  /** Further results, in words. */
  readonly facts: readonly string[];
  /** Resources that its own process still held at the end. */
  readonly left: readonly string[];
}
