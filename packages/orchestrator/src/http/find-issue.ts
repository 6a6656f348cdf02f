import { FleetError } from "../domain/errors.ts";
import type { ApiIssue } from "../observe/api-issue.ts";
import { apiIssue } from "../observe/api-issue.ts";
import type { IssueRecord } from "../jobs/port.ts";
import type { ServedFleet } from "./port.ts";

/** The identity of an issue that a URL names. */
export interface Found {
  readonly issueId: string;
  readonly identifier: string;
}

/** Finds an issue by its identifier or id: among the claims, then in the tracker and in the records. */
export async function findIssue(fleet: ServedFleet, name: string, signal: AbortSignal): Promise<Found> {
  const claimed = await findClaim(fleet, name);
  if (claimed) return claimed;
  const known = await fleet.explain(name, signal);
  if (known === undefined) throw notFound(name);
  return { issueId: known.issueId, identifier: known.identifier };
}

/**
 * The details of an issue that the fleet has worked on. The tracker is asked only for the id of an issue without a
 * claim.
 */
export async function readIssue(fleet: ServedFleet, name: string, signal: AbortSignal): Promise<ApiIssue> {
  const claimed = await findClaim(fleet, name);
  const found = claimed ?? { issueId: name, identifier: name };
  const record = await fleet.store.issue(fleet.scope, found.issueId);
  if (claimed !== undefined || isWorkedOn(record)) return detailsOf(found, record);
  const known = await fleet.explain(name, signal);
  if (known === undefined) throw notFound(name);
  const released = await fleet.store.issue(fleet.scope, known.issueId);
  if (!isWorkedOn(released)) throw notFound(name);
  return detailsOf(known, released);
}

function isWorkedOn({ claim, runs, events }: IssueRecord): boolean {
  return claim !== null || runs.length > 0 || events.length > 0;
}

function detailsOf({ issueId, identifier: name }: Found, { claim, runs, events }: IssueRecord): ApiIssue {
  const identifier =
    claim?.issue.identifier ?? events.find((event) => event.identifier !== null)?.identifier ?? name;
  return apiIssue({ issueId, identifier, claim, runs, events });
}

async function findClaim({ store, scope }: ServedFleet, name: string): Promise<Found | undefined> {
  const { claims } = await store.read(scope);
  const claim =
    claims.find(({ issue }) => issue.identifier === name) ?? claims.find(({ issueId }) => issueId === name);
  return claim && { issueId: claim.issueId, identifier: claim.issue.identifier };
}

export function notFound(name: string): FleetError {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return new FleetError("issue_not_found", `the fleet has no issue ${JSON.stringify(shown)}`);
}
