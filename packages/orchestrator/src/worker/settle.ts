import type { Outcome, RunTotals, Transition } from "../domain/outcome.ts";
import type { NewFleetEvent } from "../domain/events.ts";
import type { Settings } from "../domain/settings.ts";
import type { Grant } from "../jobs/port.ts";
import { decide } from "../policy/decide.ts";
import type { WorkerOptions } from "./options.ts";
import type { Spool } from "./spool.ts";

/** The result of a run with what is needed to decide about its claim. */
export interface Result {
  readonly grant: Grant;
  readonly outcome: Outcome;
  readonly totals: RunTotals;
  readonly settings: Settings;
}

type Parts = Pick<WorkerOptions, "store" | "clock" | "journal" | "telemetry" | "freed">;

/**
 * Settles a result: totals, claim and next job. If the grant is gone, nothing is changed. Rejects if the database is
 * away.
 */
export async function settle(result: Result, parts: Parts): Promise<"settled" | "fenced"> {
  const { grant, outcome, totals, settings } = result;
  const { store, clock, journal, telemetry, freed } = parts;
  let transition: Transition | undefined;
  const settled = await store.settle(grant, outcome, totals, (claim, ...ended) => {
    // Ticks give the claim new snapshots while it runs. Progress is what changed since the run began.
    const began = { ...claim, issue: grant.claim.issue };
    transition = decide(began, ...ended, settings, clock.date().getTime());
    return transition;
  });
  if (settled === "fenced") {
    telemetry.leaseLost();
    journal.record({
      ...about(result),
      event: "run.fenced",
      message: "the result was refused, because the grant of the run is gone",
      data: { outcome: nameOf(outcome) },
    });
    return settled;
  }
  if (transition === undefined) return settled;
  journal.note({ ...about(result), ...told(transition) });
  if (transition.to === "retrying") telemetry.retried(transition.retryKind);
  else freed();
  if (transition.to === "blocked") telemetry.wasBlocked(transition.reason.kind);
  return settled;
}

/** Keeps the result for later if it cannot be settled now. */
export async function settleOrSpool(result: Result, spool: Spool, parts: Parts): Promise<void> {
  try {
    await settle(result, parts);
  } catch (error) {
    const { grant, outcome, totals } = result;
    await spool.add({ grant, outcome, totals });
    parts.journal.note({
      ...about(result),
      event: "warning",
      message: "the result of the run is kept on disk until the database is back",
      data: { outcome: nameOf(outcome), reason: messageOf(error) },
    });
  }
}

/** The kind of an outcome, with its code if it has one. */
export function nameOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case "failed":
      return `failed: ${outcome.code}`;
    case "stopped":
      return `stopped: ${outcome.why}`;
    default:
      return outcome.kind;
  }
}

/** The message of a failure, if there is one. */
export function reasonOf(outcome: Outcome): string | null {
  switch (outcome.kind) {
    case "failed":
    case "limited":
      return outcome.message;
    case "stopped":
      return outcome.reason;
    default:
      return null;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function about({ grant }: Result): Pick<NewFleetEvent, "issueId" | "identifier" | "runId"> {
  const { claim, runId } = grant;
  return { issueId: claim.issueId, identifier: claim.issue.identifier, runId };
}

function told(transition: Transition): Pick<NewFleetEvent, "event" | "message" | "data"> {
  switch (transition.to) {
    case "retrying":
      return {
        event: "claim.retrying",
        message: `the next attempt begins in ${transition.delayMs} ms`,
        data: {
          outcome: "retrying",
          reason: transition.error,
          attempt: transition.attempt,
          kind: transition.retryKind,
        },
      };
    case "blocked":
      return {
        event: "claim.blocked",
        message: "the issue waits for a person",
        data: { outcome: "blocked", reason: transition.reason.kind },
      };
    default:
      return {
        event: "claim.released",
        message: "the issue is released",
        data: { outcome: "released", reason: transition.why, cleanup: transition.cleanup },
      };
  }
}
