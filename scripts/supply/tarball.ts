import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/** What a package of ours may hold. The sources are there for the maps that lead to them. */
const ALLOWED = [
  /^(?:package\.json|README\.md|LICENSE)$/,
  /^dist\/(?:codexwright\.js(?:\.map)?|lib\/[\w./-]+\.js(?:\.map)?|types\/[\w./-]+\.d\.ts(?:\.map)?)$/,
  /^src\/[\w./-]+\.ts$/,
];

/** What is wrong with what would be published of a folder. */
export function tarballProblems(folder: string): string[] {
  const name = path.basename(folder);
  const files = packed(folder);
  return [
    ...files
      .filter((file) => !ALLOWED.some((allowed) => allowed.test(file)) || /\.test\.|tsbuildinfo/.test(file))
      .map((file) => `${name}: would publish ${file}`),
    ...["LICENSE", "README.md", "package.json"]
      .filter((file) => !files.includes(file) || !existsSync(path.join(folder, file)))
      .map((file) => `${name}: would not publish ${file}`),
  ];
}

/** By npm itself, which knows what it packs. */
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
