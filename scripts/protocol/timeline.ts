import { compare, DIRECTIONS, type Direction } from "./methods.ts";
import type { MethodSummary, VersionSummary } from "./history.ts";

/** When something appeared and, if it was experimental at first, when it became stable. */
export interface Appearance {
  readonly since: string;
  readonly experimental: boolean;
  /** Set if it became stable later than it appeared. */
  readonly stableSince?: string;
}

/** A method of the newest version, with its history. */
export interface MethodTimeline extends Appearance {
  readonly fields: ReadonlyMap<string, Appearance>;
}

/** A method that the newest version no longer has. */
export interface RemovedMethod {
  readonly since: string;
  readonly last: string;
}

/** Everything that the table of methods contains about one direction. */
export interface DirectionTimeline {
  readonly methods: ReadonlyMap<string, MethodTimeline>;
  readonly removed: ReadonlyMap<string, RemovedMethod>;
}

/** Folds the summaries (oldest first) into one timeline per direction. */
export function timelineOf(history: readonly VersionSummary[]): Record<Direction, DirectionTimeline> {
  const directions = Object.keys(DIRECTIONS) as Direction[];
  const entries = directions.map((direction) => [direction, directionTimeline(direction, history)]);
  return Object.fromEntries(entries) as Record<Direction, DirectionTimeline>;
}

function directionTimeline(direction: Direction, history: readonly VersionSummary[]): DirectionTimeline {
  const newest = history.at(-1);
  if (!newest) throw new Error("No summaries; run with --history first");
  const methods = new Map<string, MethodTimeline>();
  const removed = new Map<string, RemovedMethod>();
  const names = new Set(history.flatMap((summary) => Object.keys(summary.methods[direction])));
  for (const name of [...names].toSorted(compare)) {
    const seen = history.flatMap(({ version, methods: all }) => {
      const method = all[direction][name];
      return method ? [{ version, method }] : [];
    });
    const last = seen.at(-1)!;
    if (last.version === newest.version) methods.set(name, methodTimeline(seen));
    else removed.set(name, { since: seen[0]!.version, last: last.version });
  }
  return { methods, removed };
}

type Sighting = { readonly version: string; readonly method: MethodSummary };

function methodTimeline(seen: readonly Sighting[]): MethodTimeline {
  const fields = new Map<string, Appearance>();
  const { method } = seen.at(-1)!;
  for (const field of [...method.fields, ...(method.experimentalFields ?? [])].toSorted(compare)) {
    const had = seen.filter((sighting) => hasField(sighting.method, field));
    fields.set(
      field,
      appearance(had, (sighting) => sighting.method.experimentalFields?.includes(field) === true),
    );
  }
  return { ...appearance(seen, (sighting) => sighting.method.stability === "experimental"), fields };
}

function hasField(method: MethodSummary, field: string): boolean {
  return method.fields.includes(field) || method.experimentalFields?.includes(field) === true;
}

function appearance(seen: readonly Sighting[], isExperimental: (sighting: Sighting) => boolean): Appearance {
  const since = seen[0]!.version;
  if (isExperimental(seen.at(-1)!)) return { since, experimental: true };
  const lastGated = seen.findLastIndex(isExperimental);
  return lastGated < 0
    ? { since, experimental: false }
    : { since, experimental: false, stableSince: seen[lastGated + 1]!.version };
}
