import type { LockedPackage, Lockfile } from "./lockfile.ts";

/** Where a package in a lockfile finds another one: the nearest `node_modules` above it, as Node looks. */
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

/** What a package cannot work without: its dependencies and the peers that are not optional. */
export function requiredBy(entry: LockedPackage): string[] {
  const optional = new Set(optionalFor(entry));
  return Object.keys({ ...entry.dependencies, ...entry.peerDependencies }).filter(
    (name) => !optional.has(name),
  );
}

/** What a package can work without. */
export function optionalFor(entry: LockedPackage): string[] {
  const peers = Object.entries(entry.peerDependenciesMeta ?? {}).filter(([, { optional }]) => optional);
  return [...Object.keys(entry.optionalDependencies ?? {}), ...peers.map(([name]) => name)];
}
