import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** One import specifier of a published package. */
export interface PublicEntry {
  /** The package's folder in `packages`. */
  readonly folder: string;
  /** The key in `exports`: `.` or `./client`. */
  readonly key: string;
  /** The text of the import: `codexwright/client`. */
  readonly specifier: string;
  /** The built declarations, as an absolute path. */
  readonly declarations: string;
  /** The source file of these declarations, as an absolute path. */
  readonly source: string;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>;
}

/**
 * The entries of all published packages, as their `package.json` files declare them, except our internal
 * entries.
 */
export function publicEntries(root: string): PublicEntry[] {
  const packages = path.join(root, "packages");
  return readdirSync(packages)
    .filter((folder) => existsSync(path.join(packages, folder, "package.json")))
    .toSorted()
    .flatMap((folder) => entriesOf(path.join(packages, folder)));
}

function entriesOf(place: string): PublicEntry[] {
  const manifest = JSON.parse(readFileSync(path.join(place, "package.json"), "utf8")) as Manifest;
  if (manifest.private === true) return [];
  return Object.entries(manifest.exports ?? {}).flatMap(([key, target]) => {
    const types = typeof target === "string" ? undefined : target.types;
    if (types === undefined || key.startsWith("./internal")) return [];
    return {
      folder: path.basename(place),
      key,
      specifier: path.posix.join(manifest.name, key),
      declarations: path.join(place, types),
      source: path.join(place, types.replace("dist/types/", "src/").replace(/\.d\.ts$/, ".ts")),
    };
  });
}
