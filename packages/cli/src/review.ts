import type { ReviewTarget } from "codexwright/protocol";
import { conduct } from "./run/conduct.ts";
import type { TurnCommandOptions } from "./run/options.ts";
import type { Invocation } from "./shared/invoke.ts";
import { clean } from "./shared/text.ts";

export interface ReviewOptions extends TurnCommandOptions {
  readonly base?: string;
  readonly commit?: string;
  readonly uncommitted?: boolean;
  readonly instructions?: string;
}

/** Reviews changes and shows how. */
export async function review(invocation: Invocation<ReviewOptions>): Promise<void> {
  const { options, output } = invocation;
  const target = targetOf(options);
  await conduct(invocation, {
    name: "review",
    isSteerable: false,
    resumable: true,
    // The review itself comes as an item of its own kind.
    hides: (type) => type === "agentMessage",
    heading: () => `${output.style.cyan("›")} ${output.style.bold(clean(`Review ${describe(target)}`))}`,
    open: async (codex) => await codex.startThread(),
    perform: async ({ codex, thread, signal }) => {
      const result = await codex.runReview({
        threadId: thread.id,
        target,
        signal,
        timeoutMs: options.timeout,
      });
      return { text: result.reviewText };
    },
  });
}

/** What of the options is to be reviewed. */
export function targetOf({ base, commit, instructions }: ReviewOptions): ReviewTarget {
  if (base !== undefined) return { type: "baseBranch", branch: base };
  if (commit !== undefined) return { type: "commit", sha: commit };
  if (instructions !== undefined) return { type: "custom", instructions };
  return { type: "uncommittedChanges" };
}

function describe(target: ReviewTarget): string {
  switch (target.type) {
    case "baseBranch":
      return `the changes since ${target.branch}`;
    case "commit":
      return `commit ${target.sha}`;
    case "custom":
      return target.instructions;
    default:
      return "what is not committed";
  }
}
