import { createRequire } from "node:module";
import type { LockedPackage, Lockfile } from "./lockfile.ts";
import { optionalFor, requiredBy, resolve } from "./resolve.ts";

interface Semver {
  readonly satisfies: (version: string, range: string) => boolean;
  readonly minVersion: (range: string) => { readonly version: string } | null;
}

// Not a static import: `npm start` also compiles this file, but does not install development tools.
const semver = (): Semver => createRequire(import.meta.url)("semver") as Semver;

/** Packages in a lockfile that do not support the oldest Node of a package that depends on them. */
export interface EngineFindings {
  /** Required packages, direct or indirect: an install on that Node would not work. */
  readonly problems: readonly string[];
  /** Packages that only optional dependencies or optional peers need: our package works without them. */
  readonly optional: readonly string[];
}

/**
 * Compares `engines.node` of our packages with the `engines.node` of every package that they install. Development
 * dependencies are ignored, because they run on the contributor's Node.
 *
 * @param places the folders of our packages in the lockfile; "" is the root
 */
export function engineFindings(lock: Lockfile, places: readonly string[]): EngineFindings {
  const found = places.map((place) => findingsOf(lock, place));
  return {
    problems: found.flatMap(({ problems }) => problems),
    optional: found.flatMap(({ optional }) => optional),
  };
}

function findingsOf(lock: Lockfile, place: string): EngineFindings {
  const { satisfies, minVersion } = semver();
  const title = place === "" ? "the root" : place;
  const range = lock.packages[place]?.engines?.["node"];
  const floor = range === undefined ? null : minVersion(range)?.version;
  if (floor === null || floor === undefined)
    return { problems: [`${title}: engines in the lockfile must include node`], optional: [] };
  const excludes = (dependency: string): boolean => {
    const node = lock.packages[dependency]?.engines?.["node"];
    return node !== undefined && !satisfies(floor, node);
  };
  const sentence = ([dependency, path]: readonly [string, string]): string =>
    `${title} runs on Node ${floor}; ${path} needs ${lock.packages[dependency]?.engines?.["node"]}`;

  const required = reach(lock, new Map([[place, title]]), requiredBy);
  const any = reach(lock, required.reached, (entry) => [...requiredBy(entry), ...optionalFor(entry)]);
  const excluded = [...any.reached].filter(([dependency]) => excludes(dependency));
  return {
    problems: [
      ...required.missing.map((path) => `${path} is not in the lockfile`),
      ...excluded.filter(([dependency]) => required.reached.has(dependency)).map(sentence),
    ],
    optional: excluded.filter(([dependency]) => !required.reached.has(dependency)).map(sentence),
  };
}

/**
 * Returns the places that can be reached from `from`, each with a readable path to it, and the packages that the
 * lockfile lacks.
 */
function reach(
  lock: Lockfile,
  from: ReadonlyMap<string, string>,
  namesOf: (entry: LockedPackage) => readonly string[],
): { readonly reached: ReadonlyMap<string, string>; readonly missing: readonly string[] } {
  const reached = new Map(from);
  const missing: string[] = [];
  // The iteration of a map includes entries that are added during it.
  for (const [place, path] of reached) {
    for (const name of namesOf(lock.packages[place] ?? {})) {
      const next = resolve(lock, place, name);
      if (next === undefined) missing.push(`${path} > ${name}`);
      else if (!reached.has(next)) reached.set(next, `${path} > ${name}`);
    }
  }
  return { reached, missing };
}
