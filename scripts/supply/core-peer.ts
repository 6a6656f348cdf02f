import path from "node:path";
import { CORE, type Manifest } from "./manifests.ts";

const INSTALLING = ["dependencies", "optionalDependencies"] as const;
const BUNDLING = ["bundleDependencies", "bundledDependencies"] as const;

/**
 * Finds declarations that would give a user of our packages a second copy of the core, or another version of it.
 *
 * @param manifests the manifests of all our packages; the core, the root and private packages are not checked
 */
export function corePeerProblems(manifests: readonly Manifest[]): string[] {
  const core = manifests.find(({ name }) => name === CORE);
  if (core?.version === undefined) return [`no package named ${CORE} has a version`];
  const { version } = core;
  return manifests
    .filter((manifest) => manifest !== core && manifest.private !== true)
    .flatMap((manifest) => problemsOf(manifest, version));
}

function problemsOf(manifest: Manifest, version: string): string[] {
  const { name, devDependencies, peerDependencies, peerDependenciesMeta } = manifest;
  const peer = peerDependencies?.[CORE];
  const own = devDependencies?.[CORE];
  return [
    ...(manifest.version === version
      ? []
      : [`${name}: version must be ${version}, that of ${CORE}, not ${manifest.version ?? "missing"}`]),
    ...(peer === version
      ? []
      : [`${name}: ${CORE} must be a peer dependency of exactly ${version}, not ${peer ?? "missing"}`]),
    ...(peerDependenciesMeta?.[CORE]?.optional === true
      ? [`${name}: the peer ${CORE} must not be optional`]
      : []),
    ...INSTALLING.filter((field) => Object.entries(manifest[field] ?? {}).some(isCore)).map(
      (field) => `${name}: ${CORE} must not be in ${field}`,
    ),
    ...(own === undefined || own === version
      ? []
      : [`${name}: ${CORE} in devDependencies must be exactly ${version}, not ${own}`]),
    ...BUNDLING.filter((field) => bundles(manifest[field])).map(
      (field) => `${name}: ${field} must not include ${CORE}`,
    ),
  ];
}

/** Matches the core by its name, or by an alias for it. */
function isCore([name, version]: readonly [string, string]): boolean {
  return name === CORE || version.startsWith(`npm:${CORE}@`);
}

/** Whether the package bundles the core. `true` means all dependencies, which must not include the core anyway. */
function bundles(field: boolean | readonly string[] | undefined): boolean {
  return typeof field === "object" && field.includes(CORE);
}

/**
 * Lists the sources of a bundle that belong to other packages, by its source map.
 *
 * @param place the folder of the package
 * @param file the source map, below that folder
 */
export function foreignSources(place: string, file: string, sources: readonly string[]): string[] {
  return sources
    .map((source) => path.posix.join(place, path.posix.dirname(file), source))
    .filter((source) => !source.startsWith(`${place}/`))
    .map((source) => `${place}: ${file} includes ${source}`);
}
