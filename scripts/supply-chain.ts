/**
 * Checks the packages that we install, the packages that we publish, and that a second build produces the same bundles.
 * See docs/supply-chain.md.
 *
 * With `--release` it also fails if an address in a package.json is still a placeholder.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./steps.ts";
import { addressProblems, placeholdersIn } from "./supply/addresses.ts";
import { corePeerProblems, foreignSources } from "./supply/core-peer.ts";
import { engineFindings } from "./supply/engines.ts";
import { lockProblems, type Lockfile } from "./supply/lockfile.ts";
import { coreProblems, manifestProblems, type Manifest } from "./supply/manifests.ts";
import { tarballProblems } from "./supply/tarball.ts";

const PLACES = ["", ...readdirSync(path.join(ROOT, "packages")).map((name) => `packages/${name}`)];

function read(file: string): unknown {
  return JSON.parse(readFileSync(path.join(ROOT, file), "utf8"));
}

const manifests = Object.fromEntries(
  PLACES.map((place) => [place, read(path.join(place, "package.json")) as Manifest]),
);
/** The packages that we publish. The root package is private too. */
const PUBLISHED = PLACES.filter((place) => manifests[place]?.private !== true);

/** One digest over the names and contents of all bundled files. */
function digest(): string {
  const hash = createHash("sha256");
  for (const place of PUBLISHED) {
    const dist = path.join(ROOT, place, "dist");
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => /\.js(?:\.map)?$/.test(name)).toSorted())
      hash
        .update(`${place}/${file}\0`)
        .update(readFileSync(path.join(dist, file)))
        .update("\0");
  }
  return hash.digest("hex");
}

/** Builds the bundles again: the bytes must be the same. */
function buildProblems(): string[] {
  const before = digest();
  execFileSync(process.execPath, [path.join(ROOT, "build/scripts/bundle.js")], {
    cwd: ROOT,
    stdio: "ignore",
  });
  return digest() === before ? [] : ["two builds of the same sources differ"];
}

/** Reports a bundle that contains sources of another of our packages. */
function bundleProblems(place: string): string[] {
  const files = readdirSync(path.join(ROOT, place, "dist"), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".js.map"))
    .flatMap((file) => {
      const { sources } = read(path.join(place, "dist", file)) as { readonly sources: readonly string[] };
      return foreignSources(place, path.posix.join("dist", file), sources);
    });
}

const lock = read("package-lock.json") as Lockfile;
const engines = engineFindings(lock, PLACES);
const placeholders = PUBLISHED.flatMap((place) => placeholdersIn(manifests[place] as Manifest));
const problems = [
  ...PUBLISHED.flatMap((place) => addressProblems(manifests[place] as Manifest, place)),
  ...(process.argv.includes("--release") ? placeholders : []),
  ...Object.values(manifests).flatMap(manifestProblems),
  ...coreProblems(read("packages/codexwright/package.json") as Manifest),
  ...corePeerProblems(Object.values(manifests)),
  ...PUBLISHED.flatMap(bundleProblems),
  ...lockProblems(lock, manifests),
  ...engines.problems,
  ...["", ...PUBLISHED]
    .filter((place) => !existsSync(path.join(ROOT, place, "LICENSE")))
    .map((place) => `${place === "" ? "the root" : place} has no LICENSE`),
  ...PUBLISHED.flatMap((place) => tarballProblems(path.join(ROOT, place))),
  ...buildProblems(),
];
for (const finding of engines.optional) console.log(`optional, so accepted: ${finding}`);
for (const placeholder of placeholders) console.log(`to fill in before a release: ${placeholder}`);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log("The supply chain checks passed.");
