import type { Claim } from "../domain/claim.ts";
import type { Issue } from "../domain/issue.ts";
import type { Settings } from "../domain/settings.ts";
import { endOf, standingOf } from "./standing.ts";

/** The decisions about the claims, by an answer of the tracker. */
export interface Reconciliation {
  /** Runs to stop. Their end decides about the claim and the workspace. */
  readonly stops: readonly {
    readonly issueId: string;
    readonly why: "terminal" | "inactive" | "unroutable" | "gone";
  }[];
  /** Claims that end: they are queued or blocked. */
  readonly releases: readonly { readonly issueId: string; readonly why: string; readonly cleanup: boolean }[];
  /** New snapshots of claims that go on. */
  readonly refreshed: readonly Issue[];
}

/**
 * The ids to ask the tracker for. Empty: no request is needed. A retry is not among them, because its issue is fetched
 * when it is due.
 */
export function idsToReconcile(claims: readonly Claim[]): ReadonlySet<string> {
  return new Set(claims.filter(isReconciled).map(({ issueId }) => issueId));
}

/** Decides about every claim that `idsToReconcile` named. An absent issue is gone. */
export function reconcile(
  claims: readonly Claim[],
  seen: ReadonlyMap<string, Issue>,
  settings: Settings,
): Reconciliation {
  const stops: Reconciliation["stops"][number][] = [];
  const releases: Reconciliation["releases"][number][] = [];
  const refreshed: Issue[] = [];
  for (const { issueId, state } of claims.filter(isReconciled)) {
    const issue = seen.get(issueId) ?? null;
    const standing = standingOf(issue, settings);
    if (standing === "workable") {
      if (issue !== null) refreshed.push(issue);
    } else if (state === "running") {
      stops.push({ issueId, why: standing });
    } else {
      releases.push({ issueId, ...endOf(standing, issue) });
    }
  }
  return { stops, releases, refreshed };
}

function isReconciled({ state }: Claim): boolean {
  return state !== "retrying";
}

/**
 * Whether a run has been silent for too long. `silentMs` counts from the last sign of life of the app-server, or from
 * the start of the run, without the time in which a question or a tool call was open. Without a limit, never.
 */
export function isStalled(silentMs: number, { codex }: Settings): boolean {
  return codex.stallTimeoutMs !== null && silentMs > codex.stallTimeoutMs;
}
