import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./steps.ts";

/** The sources that decide what the seed contains. */
const SOURCES = [
  "packages/orchestrator/src/jobs/boss/queues.ts",
  "packages/orchestrator/src/jobs/embedded/tar.ts",
  "packages/orchestrator/src/jobs/tables/schema.ts",
  "node_modules/@electric-sql/pglite/package.json",
  "node_modules/pg-boss/package.json",
];

export const SEED = "seed.tar.gz";

/** Makes the database of a first start. This takes seconds, so a seed of the same sources stays. */
export async function writeSeed(): Promise<void> {
  const dist = path.join(ROOT, "packages/orchestrator/dist");
  const seed = path.join(dist, "lib", SEED);
  const keyFile = path.join(dist, "seed.key");
  const hash = createHash("sha256");
  for (const source of SOURCES) hash.update(await readFile(path.join(ROOT, source)));
  const key = hash.digest("hex");
  const made = await Promise.all([readFile(keyFile, "utf8"), readFile(seed)]).catch(() => undefined);
  if (made?.[0] === key) return;
  const { makeSeed } = (await import(pathToFileURL(path.join(dist, "lib/seed.js")).href)) as {
    makeSeed: () => Promise<Buffer>;
  };
  await writeFile(`${seed}.new`, await makeSeed());
  await rename(`${seed}.new`, seed);
  await writeFile(keyFile, key);
}
