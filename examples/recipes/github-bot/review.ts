/** Checks out the head of a pull request, lets Codex review it, and posts the findings. */
// #region code
import { CodexClient } from "codexwright";
import { Workspace } from "codexwright/workspace";
import { commentsOn } from "./comments.ts";
import { postReview, type ApiOptions } from "./github.ts";
import { fetchHead, type PullRequest, type RemoteOptions } from "./mirror.ts";

export type { PullRequest };

export interface ReviewOptions extends RemoteOptions, ApiOptions {
  /** For Codex, merged over the environment of the bot; `undefined` removes a variable. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Resolves to a line for the log. */
export async function reviewPullRequest(
  pull: PullRequest,
  options: ReviewOptions,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const { folder } = options;
  const { mirror, head, diff } = await fetchHead(pull, options, signal);
  await using workspace = await Workspace.worktree({ repo: mirror, ref: head, allowedRoots: [folder] });
  await using codex = await CodexClient.connect({
    env: { GITHUB_TOKEN: undefined, GITHUB_WEBHOOK_SECRET: undefined, ...options.env },
    cwd: workspace.dir,
    sandbox: "read-only",
    approvalPolicy: "never",
    onApproval: () => "decline",
  });
  const { account, requiresOpenaiAuth } = await codex.account();
  if (requiresOpenaiAuth && account === null) {
    const body = "Not reviewed: Codex is not logged in on the machine of this bot.";
    await postReview(pull, options, { commit_id: head, event: "COMMENT", body }, signal);
    return "Codex is not logged in";
  }
  const thread = await codex.startThread();
  const { findings, reviewText } = await codex.runReview({
    threadId: thread.id,
    target: { type: "baseBranch", branch: pull.pull_request.base.ref },
    timeoutMs: 600_000,
    signal,
  });
  const comments = commentsOn(findings, workspace.dir, diff);
  // The text has every finding, also those on lines that the diff does not show.
  const body = reviewText.replaceAll(`${workspace.dir}/`, "");
  await postReview(pull, options, { commit_id: head, event: "COMMENT", body, comments }, signal);
  return `reviewed ${head.slice(0, 7)}, ${comments.length} comment`;
}
// #endregion code
