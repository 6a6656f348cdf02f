import type { SessionReader } from "../session/session.ts";

/** What a completion check may look at. */
export interface CompletionContext {
  readonly session: SessionReader;
  /** The model's final answer. */
  readonly text: string;
  /** True where a file or folder is there, by its path from the run's folder. */
  readonly exists: (path: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Says whether the work is done: what is missing, as the model will be told, or undefined. */
export type CompletionCheck = (
  context: CompletionContext,
) => string | undefined | Promise<string | undefined>;

/** The work is done when these files are there. */
export function filesExist(...paths: readonly string[]): CompletionCheck {
  return async ({ exists }) => {
    const there = await Promise.all(paths.map(async (path) => exists(path)));
    const missing = paths.filter((_, index) => !there[index]);
    if (missing.length === 0) return undefined;
    return `The work is not complete: ${missing.join(", ")} ${missing.length === 1 ? "does" : "do"} not exist yet. Go on.`;
  };
}
