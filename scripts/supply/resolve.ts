import type { LockedPackage, Lockfile } from "./lockfile.ts";

/**
 * Resolves a package in a lockfile like Node does: in the nearest `node_modules` above the importing package.
 */
export function resolve(lock: Lockfile, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = parentOf(folder)) {
    const place = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const entry = lock.packages[place];
    if (entry) return entry.link ? entry.resolved : place;
    if (folder === "") return undefined;
  }
}

function parentOf(place: string): string {
  return place.slice(0, Math.max(0, place.lastIndexOf("/")));
}

/** The packages that a package requires: its dependencies and its non-optional peers. */
export function requiredBy(entry: LockedPackage): string[] {
  const optional = new Set(optionalFor(entry));
  return Object.keys({ ...entry.dependencies, ...entry.peerDependencies }).filter(
    (name) => !optional.has(name),
  );
}

/** The packages that a package can work without. */
export function optionalFor(entry: LockedPackage): string[] {
  const peers = Object.entries(entry.peerDependenciesMeta ?? {}).filter(([, { optional }]) => optional);
  return [...Object.keys(entry.optionalDependencies ?? {}), ...peers.map(([name]) => name)];
}
