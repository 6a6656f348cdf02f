import type { Issue } from "../domain/issue.ts";
import type { DueClaim } from "../jobs/port.ts";
import { decideDue, postponeRefused, postponeUnknown, type Due } from "../policy/retries.ts";
import { limitsOf } from "../policy/slots.ts";
import { messageOf, situationOf, type TickOptions } from "./options.ts";

/** Retries that are handled together: one call of the tracker. */
const MOST = 50;

/** Looks again at the issues whose retries are due: each gets a slot, another time, or its end. Returns their number. */
export async function dueRetries(options: TickOptions, signal: AbortSignal): Promise<number> {
  const { store, scope, current } = options;
  const dues = await store.due(scope, MOST);
  if (dues.length === 0) return 0;
  const issues = await issuesOf(dues, options, signal);
  const { settings } = current();
  for (const due of dues) {
    // Each admission takes a slot from those after it.
    const situation = await situationOf(options);
    const decided =
      typeof issues === "string"
        ? postponeUnknown(due.claim, issues, situation)
        : decideDue(due.claim, issues.get(due.claim.issueId) ?? null, situation);
    if (decided.act !== "admit") {
      await follow(due, decided, options);
      continue;
    }
    const [admission] = await store.admit(scope, [{ issue: decided.issue, due }], limitsOf(settings));
    const refused = admission?.refused ?? null;
    if (refused === null) options.changed();
    // In the other two cases, another process has handled the retry.
    else if (refused !== "claimed" && refused !== "gone")
      await follow(due, postponeRefused(due.claim, refused, situation), options);
  }
  return dues.length;
}

/** The issues as the tracker shows them now, or the reason why it does not. */
async function issuesOf(
  dues: readonly DueClaim[],
  { current }: TickOptions,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Issue> | string> {
  try {
    return await current().tracker.byIds(new Set(dues.map(({ claim }) => claim.issueId)), signal);
  } catch (error) {
    return messageOf(error);
  }
}

async function follow(due: DueClaim, decided: Due, { store, scope, journal }: TickOptions): Promise<void> {
  const { issueId, issue } = due.claim;
  const about = { issueId, identifier: issue.identifier };
  if (decided.act === "release") {
    const { why, cleanup } = decided;
    await store.release(scope, issueId, { why, cleanup, due });
    const data = { outcome: "released", reason: why };
    journal.note({ ...about, event: "claim.released", message: "the issue is released", data });
  } else if (decided.act === "postpone") {
    const { attempt, delayMs, error } = decided;
    await store.postpone(due, { attempt, delayMs, error });
    const data = { outcome: "retrying", reason: error, attempt };
    const message = `the next attempt begins in ${delayMs} ms`;
    journal.note({ ...about, event: "claim.retrying", message, data });
  }
}
