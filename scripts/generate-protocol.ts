// Writes the protocol's generated files from the pinned Codex binary and the committed summaries of other versions.
//
//   node build/scripts/generate-protocol.js             writes the files
//   node build/scripts/generate-protocol.js --check     fails if a file differs from what it would write
//   node build/scripts/generate-protocol.js --history   first creates missing summaries
//
// `--root=<folder>` works on a copy of the repository's files instead of the repository itself.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CODEX_VERSIONS } from "./codex-versions.ts";
import { codexBinary, uninstallCached } from "./install-cached.ts";
import { travelOf } from "./protocol/directions.ts";
import { emitMethods } from "./protocol/emit-methods.ts";
import { emitParams } from "./protocol/emit-params.ts";
import { emitTable } from "./protocol/emit-table.ts";
import { emitTypes } from "./protocol/emit-types.ts";
import { compareVersions, printSummary, readHistory, summarize } from "./protocol/history.ts";
import { publicNames } from "./protocol/names.ts";
import { paramShapes } from "./protocol/param-shapes.ts";
import { generateSchemas, generateSurfaces, pinnedCodex } from "./protocol/run-codex.ts";
import { withSenderOptionals } from "./protocol/sender-optional.ts";
import { timelineOf } from "./protocol/timeline.ts";

// The compiled file is two folders below the root.
const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const HISTORY = join("scripts", "protocol", "history");
const OUTPUT = join("packages", "codexwright", "src", "protocol");
const PARAMS = join("packages", "codexwright", "src", "endpoint", "params", "params.gen.ts");

/** Releases are immutable, so each one is summarized once. The pinned version is added automatically. */
const SAMPLES = [98, 100, 105, 110, 115, 120, 125, 130, 135, 140, 145, 150, 155, 160].map(
  (minor) => `0.${minor}.0`,
);

/** Other scripts and tests also use these versions, so the script does not remove them from the cache. */
const KEPT: ReadonlySet<string> = new Set(CODEX_VERSIONS);

/** Returns the expected contents of the files, by path below the root. */
async function generate(root: string): Promise<Map<string, string>> {
  const { version, binary } = await pinnedCodex();
  const { stable, experimental } = await generateSurfaces(binary);
  const travel = travelOf(experimental);
  const schemas = await generateSchemas(binary);
  const surface = withSenderOptionals(experimental, schemas, travel);
  const summary = summarize(version, stable, experimental);
  // If the repository has moved back to an older Codex, summaries of newer versions exist. They are not part of the
  // older version's history.
  const isOlder = (other: string): boolean => compareVersions(other, version) < 0;
  const history = (await readHistory(join(root, HISTORY))).filter((entry) => isOlder(entry.version));
  const missing = SAMPLES.filter(isOlder).filter(
    (sample) => !history.some((entry) => entry.version === sample),
  );
  if (missing.length > 0) throw new Error(`No summary of ${missing.join(", ")}; run with --history`);
  const timeline = timelineOf([...history, summary]);
  const versions = [...history.map((entry) => entry.version), version];
  const names = publicNames(experimental);
  const header = `// Generated from Codex ${version} by scripts/generate-protocol.ts. Do not edit.\n\n`;
  return new Map([
    [join(HISTORY, `${version}.json`), printSummary(summary)],
    [join(OUTPUT, "types.gen.ts"), header + emitTypes(stable, surface, names, travel)],
    [join(OUTPUT, "methods.gen.ts"), header + emitMethods(stable, experimental, names)],
    [PARAMS, header + emitParams(paramShapes(experimental, schemas))],
    [join(OUTPUT, "table.gen.ts"), header + emitTable(timeline, versions)],
    [
      join(OUTPUT, "version.gen.ts"),
      `${header}/** The Codex version that the types were generated from. */\nexport const CODEX_VERSION: string = "${version}";\n`,
    ],
  ]);
}

async function writeMissingSummaries(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const known = new Set((await readHistory(folder)).map((entry) => entry.version));
  for (const version of SAMPLES.filter((sample) => !known.has(sample))) {
    const { stable, experimental } = await generateSurfaces(await codexBinary(version));
    await writeFile(join(folder, `${version}.json`), printSummary(summarize(version, stable, experimental)));
    if (!KEPT.has(version)) await uninstallCached("@openai/codex", version);
    console.log(`summarized ${version}`);
  }
}

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      check: { type: "boolean", default: false },
      history: { type: "boolean", default: false },
      root: { type: "string", default: REPOSITORY },
    },
  });
  if (values.history) await writeMissingSummaries(join(values.root, HISTORY));
  const drifted: string[] = [];
  for (const [path, text] of await generate(values.root)) {
    const file = join(values.root, path);
    if ((await readFile(file, "utf8").catch(() => undefined)) === text) continue;
    drifted.push(path);
    if (!values.check) await writeFile(file, text);
  }
  if (values.check && drifted.length > 0) {
    console.error(
      `These files differ from the output of the pinned Codex: ${drifted.join(", ")}. Run generate-protocol.`,
    );
    process.exitCode = 1;
    return;
  }
  console.log(drifted.length > 0 ? `wrote ${drifted.join(", ")}` : "protocol files are up to date");
}

await main(process.argv.slice(2));
