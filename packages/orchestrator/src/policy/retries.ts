import type { Claim } from "../domain/claim.ts";
import type { Issue } from "../domain/issue.ts";
import { backoffMs, untilNextDay } from "./backoff.ts";
import { heldUp } from "./rules.ts";
import type { Situation } from "./situation.ts";
import { limitsOf, slotsOf } from "./slots.ts";
import { endOf, standingOf } from "./standing.ts";
import { shortened } from "./text.ts";

/** The decision about a retry that is due. */
export type Due =
  | { readonly act: "admit"; readonly issue: Issue }
  | { readonly act: "postpone"; readonly attempt: number; readonly delayMs: number; readonly error: string }
  | { readonly act: "release"; readonly why: string; readonly cleanup: boolean };

type Retrying = Claim & { readonly state: "retrying" };

/**
 * Decides about a retry that is due, with the issue as the tracker shows it now. null: the tracker no longer shows it.
 * The job store then checks the slots in the transaction of the admission; see `postponeRefused`.
 */
export function decideDue(claim: Retrying, issue: Issue | null, situation: Situation): Due {
  const { settings, snapshot } = situation;
  const standing = standingOf(issue, settings);
  if (standing !== "workable" || issue === null) {
    return { act: "release", ...endOf(standing === "workable" ? "gone" : standing, issue) };
  }
  const slots = slotsOf(limitsOf(settings), snapshot.claims);
  const [reason] = heldUp({ issue, situation, slots, claim, namesake: undefined });
  if (reason !== undefined) return held(claim, reason.why, situation);
  // The tracker has renamed one of the two. They would have the same workspace.
  const namesake = snapshot.claims.find((each) => isNamesake(each, issue));
  return namesake === undefined
    ? { act: "admit", issue }
    : held(claim, `the issue with the id ${namesake.issueId} has the same identifier and a slot`, situation);
}

function isNamesake({ issueId, issue: other, state }: Claim, issue: Issue): boolean {
  const hasSlot = state === "queued" || state === "running";
  return hasSlot && issueId !== issue.id && other.identifier === issue.identifier;
}

/** After the tracker could not be asked for the issue of a retry that is due. */
export function postponeUnknown(claim: Retrying, message: string, situation: Situation): Due {
  return counted(claim, `the tracker did not answer: ${shortened(message)}`, situation);
}

/** After the job store refused a retry that is due. */
export function postponeRefused(
  claim: Retrying,
  refused: "no_slot" | "no_state_slot" | "paused" | "waiting",
  situation: Situation,
): Due {
  return refused === "paused" || refused === "waiting"
    ? held(claim, refused === "paused" ? "the fleet is paused" : "the fleet waits for a limit", situation)
    : counted(claim, "no available orchestrator slots", situation);
}

function counted(claim: Retrying, error: string, { settings }: Situation): Due {
  const attempt = (claim.attempt ?? 0) + 1;
  return { act: "postpone", attempt, delayMs: backoffMs(attempt, settings), error };
}

/** The whole scope is held up. That is not the issue's fault, so the attempt does not count. */
function held(claim: Retrying, error: string, { settings, snapshot, now }: Situation): Due {
  const until = snapshot.waiting === null ? Number.NaN : Date.parse(snapshot.waiting.until) - now;
  const { dayTokens } = settings.budget;
  const isDayOver = dayTokens !== null && snapshot.today.totalTokens >= dayTokens;
  const delayMs = Math.max(
    settings.polling.intervalMs,
    until > 0 ? until : 0,
    isDayOver ? untilNextDay(now) : 0,
  );
  return { act: "postpone", attempt: claim.attempt ?? 1, delayMs, error };
}
