import * as is from "../../rpc/options/check.ts";
import { needed, shape, type Table } from "../../rpc/options/table.ts";
import type { SessionReader } from "../session/session.ts";

/** The context that a completion check receives. */
export interface CompletionContext {
  readonly session: SessionReader;
  /** The model's final answer. */
  readonly text: string;
  /** Resolves to true if the file or folder exists. The path is relative to the folder of the run. */
  readonly exists: (path: string) => Promise<boolean>;
  /** The number of this round, from 1. A round is a turn and the check after it. */
  readonly round: number;
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal;
}

/**
 * Checks if the work is done. Returns undefined if it is done. Otherwise returns a text that tells the model what is
 * missing.
 */
export type CompletionCheck = (
  context: CompletionContext,
) => string | undefined | Promise<string | undefined>;

/** A completion check with its own limit. */
export interface CompletionOptions {
  readonly check: CompletionCheck;
  /** After so many rounds, the model is not asked to continue any more. Default 11. */
  readonly maxRounds?: number | undefined;
  /**
   * How the run ends if the check still returns a text after `maxRounds`: it rejects with `incomplete` (`reject`, the
   * default), or it ends normally, with `limitReached` in its result (`end`).
   */
  readonly atLimit?: "reject" | "end" | undefined;
}

const OPTIONS: Table<CompletionOptions> = {
  check: needed(is.func),
  maxRounds: is.integer(1),
  atLimit: is.oneOf("reject", "end"),
};

export const COMPLETION: is.Check<CompletionCheck | CompletionOptions> = is.either(is.func, shape(OPTIONS));

/** A completion check with all of its settings. */
export type Completion = { readonly [K in keyof CompletionOptions]-?: NonNullable<CompletionOptions[K]> };

export function completionOf(given: CompletionCheck | CompletionOptions): Completion {
  const {
    check,
    maxRounds = 11,
    atLimit = "reject",
  } = typeof given === "function" ? { check: given } : given;
  return { check, maxRounds, atLimit };
}

/** A check that passes when all these files exist. */
export function filesExist(...paths: readonly string[]): CompletionCheck {
  return async ({ exists }) => {
    const there = await Promise.all(paths.map(async (path) => exists(path)));
    const missing = paths.filter((_, index) => !there[index]);
    if (missing.length === 0) return undefined;
    return `The work is not complete: ${missing.join(", ")} ${missing.length === 1 ? "does" : "do"} not exist yet. Go on.`;
  };
}
