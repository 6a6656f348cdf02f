/** Checks what we install, what we publish, and that it can be built again; see docs/supply-chain.md. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./steps.ts";
import { lockProblems, type Lockfile } from "./supply/lockfile.ts";
import { coreProblems, manifestProblems, type Manifest } from "./supply/manifests.ts";
import { tarballProblems } from "./supply/tarball.ts";

const PLACES = ["", ...readdirSync(path.join(ROOT, "packages")).map((name) => `packages/${name}`)];
const PUBLISHED = PLACES.filter((place) => place !== "");

function read(file: string): unknown {
  return JSON.parse(readFileSync(path.join(ROOT, file), "utf8"));
}

/** One digest of every file of the bundles, with its name. */
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

/** Bundles once more: the bytes must be the same. */
function buildProblems(): string[] {
  const before = digest();
  execFileSync(process.execPath, [path.join(ROOT, "build/scripts/bundle.js")], {
    cwd: ROOT,
    stdio: "ignore",
  });
  return digest() === before ? [] : ["two builds of the same sources differ"];
}

const manifests = Object.fromEntries(
  PLACES.map((place) => [place, read(path.join(place, "package.json")) as Manifest]),
);
const problems = [
  ...Object.values(manifests).flatMap(manifestProblems),
  ...coreProblems(read("packages/codexwright/package.json") as Manifest),
  ...lockProblems(read("package-lock.json") as Lockfile, manifests),
  ...PLACES.filter((place) => !existsSync(path.join(ROOT, place, "LICENSE"))).map(
    (place) => `${place} has no LICENSE`,
  ),
  ...PUBLISHED.flatMap((place) => tarballProblems(path.join(ROOT, place))),
  ...buildProblems(),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log("The supply chain is as it should be.");
