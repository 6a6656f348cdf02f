import type { SessionReader } from "../session/session.ts";

/** The context that a completion check receives. */
export interface CompletionContext {
  readonly session: SessionReader;
  /** The model's final answer. */
  readonly text: string;
  /** Resolves to true if the file or folder exists. The path is relative to the folder of the run. */
  readonly exists: (path: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/**
 * Checks if the work is done. Returns undefined if it is done. Otherwise returns a text that tells the model what is
 * missing.
 */
export type CompletionCheck = (
  context: CompletionContext,
) => string | undefined | Promise<string | undefined>;

/** A check that passes when all these files exist. */
export function filesExist(...paths: readonly string[]): CompletionCheck {
  return async ({ exists }) => {
    const there = await Promise.all(paths.map(async (path) => exists(path)));
    const missing = paths.filter((_, index) => !there[index]);
    if (missing.length === 0) return undefined;
    return `The work is not complete: ${missing.join(", ")} ${missing.length === 1 ? "does" : "do"} not exist yet. Go on.`;
  };
}
