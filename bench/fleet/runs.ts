import { Child, type Said } from "./child.ts";
import type { FleetFolder } from "./folder.ts";

/**
 * Starts a fleet. Each app-server is started by a login shell. Its user has an empty home, so that the profile of the
 * person who measures costs nothing.
 */
export function startFleet({ root }: FleetFolder): Child {
  return new Child("host", { folder: root }, root);
}

/** A line of a fleet's log. */
export interface LogLine {
  readonly at: number;
  readonly event: string;
  readonly identifier: string | undefined;
  readonly message: string;
}

export function logOf(said: readonly Said[]): readonly LogLine[] {
  return said.flatMap(({ at, log }) => {
    if (log === undefined) return [];
    const { event, issue_identifier, msg } = log as Readonly<Record<string, string>>;
    return [{ at, event: event ?? "", identifier: issue_identifier, message: msg ?? "" }];
  });
}

/** When the first tick was done. */
export async function firstTick(host: Child): Promise<number> {
  return await host.until((said) => logOf(said).find(({ event }) => event === "tick.done")?.at);
}

/** How many issues have got a slot. */
export function admissions(host: Child): number {
  return logOf(host.said).filter(({ event }) => event === "claim.admitted").length;
}

/** Waits until so many runs have reached a phase, and returns the time of the last one. */
export async function inPhase(host: Child, phase: string, count: number): Promise<number> {
  return await host.until((said) => {
    const reached = new Map<string | undefined, number>();
    for (const { event, message, identifier, at } of logOf(said))
      if (event === "run.phase" && message === `phase ${phase}` && !reached.has(identifier))
        reached.set(identifier, at);
    return reached.size >= count ? Math.max(...[...reached.values()].slice(0, count)) : undefined;
  });
}

/** For each run, the time from the event that gave it a slot to its app-server's answer to `initialize`. */
export function startTimes(host: Child): readonly number[] {
  const admitted = new Map<string | undefined, number>();
  const times: number[] = [];
  for (const { event, message, identifier, at } of logOf(host.said)) {
    if (event === "claim.admitted") admitted.set(identifier, at);
    const since = admitted.get(identifier);
    if (event !== "run.phase" || message !== "phase InitializingSession" || since === undefined) continue;
    times.push(at - since);
    admitted.delete(identifier);
  }
  return times;
}

/** The value below which this part of the values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.ceil(sorted.length * part), sorted.length) - 1] ?? Number.NaN;
}
