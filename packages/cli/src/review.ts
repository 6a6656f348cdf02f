import type { Schema } from "codexwright";
import type { ReviewTarget } from "codexwright/protocol";
import { isReviewable } from "./review-target.ts";
import { conduct } from "./run/conduct.ts";
import type { TurnCommandOptions } from "./run/options.ts";
import { readSchema } from "./run/output-schema.ts";
import { usageError } from "./shared/command-error.ts";
import type { Invocation } from "./shared/invoke.ts";
import type { Output } from "./shared/output.ts";
import { STDIN } from "./shared/stdin.ts";
import { isReplayed } from "./shared/tap.ts";
import { clean } from "./shared/text.ts";

export interface ReviewOptions extends TurnCommandOptions {
  readonly base?: string;
  readonly commit?: string;
  readonly uncommitted?: boolean;
  readonly instructions?: string;
  readonly outputSchema?: string;
}

/** Runs a review and shows its progress. */
export async function review(invocation: Invocation<ReviewOptions>): Promise<void> {
  const { options, output, cwd } = invocation;
  const { style } = output.progress;
  const target = targetOf(await withStdin(options));
  const schema = options.outputSchema === undefined ? undefined : await readSchema(options.outputSchema, cwd);
  if (!isReplayed() && !(await isReviewable(cwd, target))) return tellNothing(target, schema, output);
  await conduct(invocation, {
    name: "review",
    isSteerable: false,
    resumable: true,
    ...(schema && { isData: true }),
    // The answer is the `exitedReviewMode` item, not a message. If stdout is not a terminal, the answer is
    // printed at the end.
    hides: (type) => type === "agentMessage" || (type === "exitedReviewMode" && !output.isTerminal),
    heading: () => `${style.cyan("›")} ${style.bold(clean(`Review ${describe(target)}`))}`,
    open: async (codex) => await codex.startThread(),
    perform: async ({ codex, thread, signal }) => {
      const settings = { signal, timeoutMs: options.timeout };
      const reviewed = await codex.runReview({ threadId: thread.id, target, ...settings });
      const { reviewText: text, findings } = reviewed;
      if (!schema) return { text, findings };
      // A review on the server accepts no schema, so a second turn converts its result.
      const { output: data } = await thread.run(CONVERT, { ...settings, output: schema });
      return { text, findings, output: data };
    },
  });
}

/** Asks the model to convert the review that the thread already contains. */
const CONVERT =
  "Return the review above as JSON that matches the output schema. Do not review again, and run no commands.";

/** Reports that there are no changes. The model is not called. */
function tellNothing(target: ReviewTarget, schema: Schema | undefined, output: Output): void {
  const text = `Nothing to review: ${nothingIn(target)}.`;
  const facts = { filesChanged: [], commands: [], durationMs: 0 };
  output.json({ type: "result", command: "review", status: "completed", ...facts, text, findings: [] });
  // With a schema, stdout holds only data that matches it.
  if (schema) output.remark(text);
  else output.text(`${text}\n`);
}

/** Reads the instructions from stdin if they are `-`, as `run` does for its task. */
async function withStdin(options: ReviewOptions): Promise<ReviewOptions> {
  if (options.instructions !== "-") return options;
  const instructions = (await STDIN.read()).trim();
  if (instructions === "") throw usageError("--instructions -: standard input is empty");
  return { ...options, instructions };
}

/** Chooses what to review from the options. */
export function targetOf({ base, commit, instructions }: ReviewOptions): ReviewTarget {
  if (base !== undefined) return { type: "baseBranch", branch: base };
  if (commit !== undefined) return { type: "commit", sha: commit };
  if (instructions !== undefined) return { type: "custom", instructions };
  return { type: "uncommittedChanges" };
}

function nothingIn(target: ReviewTarget): string {
  return target.type === "baseBranch" ? `no changes since ${target.branch}` : "everything is committed";
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
      return "the uncommitted changes";
  }
}
