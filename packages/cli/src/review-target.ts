import type { ReviewTarget } from "codexwright/protocol";
import { hasChanges, NotARepositoryError, RevisionNotFoundError } from "codexwright/workspace";
import { CommandError, EXIT } from "./shared/command-error.ts";

/**
 * Returns whether there are changes to review. Rejects if the branch or commit does not exist, or if the
 * folder has no git, because the model would have nothing to review.
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
        target.type === "commit" ? "`git log` lists the commits." : "`git branch --all` lists the branches.",
      ]);
    }
    throw error;
  }
}
