import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * The files that our packages may contain: code, declarations, a parser, and the database of a first start. Sources and
 * maps stay in the repository.
 */
const ALLOWED = [
  /^(?:package\.json|README\.md|LICENSE)$/,
  /^dist\/lib\/tree-sitter-bash\.(?:wasm|LICENSE)$/,
  /^dist\/lib\/seed\.tar\.gz$/,
  /^dist\/(?:codexwright\.js|lib\/[\w./-]+\.js|types\/[\w./-]+\.d\.ts)$/,
];

/** Returns the problems of a package's tarball. */
export function tarballProblems(folder: string): string[] {
  const name = path.basename(folder);
  const files = packed(folder);
  return [
    ...files
      .filter((file) => !ALLOWED.some((allowed) => allowed.test(file)) || /\.test\.|tsbuildinfo/.test(file))
      .map((file) => `${name}: would publish ${file}`),
    ...files
      .filter((file) => file.endsWith(".js") && linksToMap(path.join(folder, file)))
      .map((file) => `${name}: ${file} links to a map, which would not be published`),
    ...["LICENSE", "README.md", "package.json"]
      .filter((file) => !files.includes(file) || !existsSync(path.join(folder, file)))
      .map((file) => `${name}: would not publish ${file}`),
  ];
}

/**
 * Whether a file links to a source map. Maps are not published, and bundlers warn their users about each link to a
 * missing map.
 */
function linksToMap(file: string): boolean {
  return /^\/\/# sourceMappingURL=/m.test(readFileSync(file, "utf8"));
}

/** Returns the files that npm itself would pack. */
function packed(folder: string): string[] {
  const text = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  });
  const told = JSON.parse(text) as Packed[] | Readonly<Record<string, Packed>>;
  return Object.values(told).flatMap(({ files }) => files.map((file) => file.path));
}

interface Packed {
  readonly files: readonly { readonly path: string }[];
}
