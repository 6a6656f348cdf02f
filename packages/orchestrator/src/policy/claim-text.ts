import type { Claim } from "../domain/claim.ts";

/** For people: the state of a claim. */
export function claimText(claim: Claim): string {
  switch (claim.state) {
    case "queued":
      return `queued since ${claim.since}`;
    case "running":
      return `running on ${claim.run.host} since ${claim.run.startedAt}`;
    case "retrying": {
      const error = claim.lastError === null ? "" : `; the last error was: ${claim.lastError}`;
      return `waiting for attempt ${claim.attempt ?? 1}, due at ${claim.dueAt}${error}`;
    }
    default:
      return `blocked since ${claim.since}: ${blockText(claim)}`;
  }
}

function blockText({ reason }: Claim & { readonly state: "blocked" }): string {
  switch (reason.kind) {
    case "question":
      return `it asks: ${reason.question.text}`;
    case "max_attempts":
      return `${reason.attempts} attempts in a row failed`;
    case "no_progress":
      return `${reason.sessions} runs in a row ended with the issue unchanged`;
    case "issue_budget":
      return `${reason.tokens} of the ${reason.limit} tokens of the issue were used`;
    default:
      return `${reason.by} stopped it${reason.reason === null ? "" : `: ${reason.reason}`}`;
  }
}

/** For people: how the claim can end. */
export function claimNext(claim: Claim): string {
  switch (claim.state) {
    case "queued":
      return "Wait for a worker with a free slot.";
    case "running":
      return "Wait for the run to end.";
    case "retrying":
      return `Wait until ${claim.dueAt}, or order a retry.`;
    default:
      return claim.reason.kind === "question"
        ? "Answer the question, order a retry, or change the issue in the tracker."
        : "Order a retry, or change the issue in the tracker.";
  }
}
