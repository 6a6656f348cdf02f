import type { Manifest } from "./manifests.ts";

/** The fields of a package-lock.json that we check. */
export interface Lockfile {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Packages that may run an install script, with the reason. */
const MAY_INSTALL: Readonly<Record<string, string>> = {
  "node_modules/bun": "for development only: puts the binary of its package for this platform in place",
  "node_modules/vitepress/node_modules/esbuild":
    "for development only: checks the binary of its package for this platform",
  "node_modules/tree-sitter-bash":
    "for building only: builds a parser for Node if its package has none for this platform; we publish the parser in WebAssembly",
};

/**
 * The public registry. Any other host is a private mirror, and every user of the lockfile would contact it.
 */
const REGISTRY = "https://registry.npmjs.org/";

const FIELDS = ["dependencies", "devDependencies", "peerDependencies"] as const;

/**
 * Returns the problems of a lockfile.
 *
 * @param manifests the package.json files, keyed by the place of their folder in the lockfile; "" is the root
 */
export function lockProblems(lock: Lockfile, manifests: Readonly<Record<string, Manifest>>): string[] {
  const packages = Object.entries(lock.packages);
  return [
    ...(lock.lockfileVersion === 3 ? [] : ["lockfileVersion must be 3"]),
    ...packages.flatMap(([place, entry]) => (place in manifests ? [] : entryProblems(place, entry))),
    ...Object.entries(manifests).flatMap(([place, manifest]) =>
      agreement(place, manifest, lock.packages[place] ?? {}),
    ),
    ...Object.entries(manifests).flatMap(([place, manifest]) => pinProblems(place, manifest, lock)),
    ...Object.keys(MAY_INSTALL)
      .filter((place) => !lock.packages[place]?.hasInstallScript)
      .map((place) => `${place} is allowed to run an install script but does not have one`),
  ];
}

function entryProblems(
  place: string,
  { resolved, integrity, link, hasInstallScript }: LockedPackage,
): string[] {
  // A link points to one of our packages.
  if (link) return resolved?.startsWith("packages/") ? [] : [`${place} links to ${resolved ?? "nowhere"}`];
  return [
    ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? "") ? [] : [`${place} has no SHA-512`]),
    ...(resolved === undefined || resolved.startsWith(REGISTRY)
      ? []
      : [`${place} does not come from the npm registry`]),
    ...(hasInstallScript && !(place in MAY_INSTALL) ? [`${place} runs an install script`] : []),
  ];
}

/** Checks that a package.json and its lockfile entry agree. */
function agreement(place: string, manifest: Manifest, entry: LockedPackage): string[] {
  return FIELDS.filter((field) => sorted(manifest[field]) !== sorted(entry[field])).map(
    (field) => `${place === "" ? "the root" : place}: ${field} differ from the lockfile`,
  );
}

/** Checks that the locked versions are those that package.json requires. */
function pinProblems(place: string, { dependencies, devDependencies }: Manifest, lock: Lockfile): string[] {
  return Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, asked]) => {
    const entry = lock.packages[`${place}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`];
    if (entry?.link) return [];
    const version = asked.slice(asked.lastIndexOf("@") + 1);
    return entry?.version === version
      ? []
      : [`${name} is locked at ${entry?.version ?? "nothing"}, not ${asked}`];
  });
}

function sorted(record: Readonly<Record<string, string>> = {}): string {
  return JSON.stringify(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
