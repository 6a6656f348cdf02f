import type { ReviewTarget } from "codexwright/protocol";
import { hasChanges, NotARepositoryError, RevisionNotFoundError } from "codexwright/workspace";
import { CommandError, EXIT } from "./shared/command-error.ts";

/**
 * Whether there is something to review. Rejects for a branch or a commit that is not there, and for a folder without
 * git: a model would be asked for nothing.
 */
export async function isReviewable(folder: string, target: ReviewTarget): Promise<boolean> {
  if (target.type === "custom") return true;
  try {
    return await hasChanges(folder, target);
  } catch (error) {
    if (error instanceof NotARepositoryError) {
      throw new CommandError("not_a_repository", EXIT.usage, error.message, [
        "Review without git: codexwright review --instructions <text>",
      ]);
    }
    if (error instanceof RevisionNotFoundError) {
      throw new CommandError("not_found", EXIT.notFound, error.message, [
        target.type === "commit" ? "`git log` shows the commits." : "`git branch --all` shows the branches.",
      ]);
    }
    throw error;
  }
}
