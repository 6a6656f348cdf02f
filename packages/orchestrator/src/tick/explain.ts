import type { Explanation } from "../domain/explanation.ts";
import type { Issue } from "../domain/issue.ts";
import { explain } from "../policy/plan.ts";
import { situationOf, type TickOptions } from "./options.ts";

/**
 * Explains why an issue runs or does not run, by the computation of the dispatch. Finds the issue by its identifier or
 * id. undefined if neither the tracker nor the job store knows it.
 */
export async function explainIssue(
  options: TickOptions,
  name: string,
  signal: AbortSignal,
): Promise<Explanation | undefined> {
  const { settings, tracker } = options.current();
  const candidates = await tracker.byStates(settings.tracker.activeStates, signal);
  const situation = await situationOf(options);
  const isIt = ({ id, identifier }: Issue): boolean => id === name || identifier === name;
  const claim = situation.snapshot.claims.find(({ issue }) => isIt(issue));
  const issue =
    candidates.find(isIt) ?? (await elsewhere(options, { id: claim?.issueId ?? name, name }, signal));
  if (issue === null && claim === undefined) return undefined;
  const issueId = issue?.id ?? claim?.issueId ?? name;
  const identifier = issue?.identifier ?? claim?.issue.identifier ?? name;
  return explain({ issueId, identifier, issue }, candidates, situation);
}

/** An issue that is not active. */
async function elsewhere(
  { current }: TickOptions,
  { id, name }: { readonly id: string; readonly name: string },
  signal: AbortSignal,
): Promise<Issue | null> {
  const { settings, tracker } = current();
  const byId = (await tracker.byIds(new Set([id]), signal)).get(id);
  if (byId !== undefined) return byId;
  const done = await tracker.byStates(settings.tracker.terminalStates, signal);
  return done.find(({ identifier }) => identifier === name) ?? null;
}
