/**
 * `npm run drills -- [--long] [--soak <minutes>] [--seed <number>] [drill …]`: injects faults and reports the outcomes.
 *
 * A run of all drills writes the table of docs/reliability.md. A soak writes its ledger there. The drill `orphans`, and
 * the drills of a fleet together, write their results there even if no other drill runs. `--long` does more of everything and adds an hour of soak;
 * `--soak` alone runs only a soak of that length; `--soak <minutes> engine-soak` runs only the soak of our own engine.
 */
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { codexFor } from "../scripts/install-cached.ts";
import { ROOT } from "../scripts/steps.ts";
import { engineSoak } from "./engine-soak/engine-soak.ts";
import { fleetKill } from "./faults/fleet-kill.ts";
import { fleetStop } from "./faults/fleet-stop.ts";
import { orphans } from "./faults/orphans.ts";
import type { Drill } from "./lib/drill.ts";
import { DRILLS } from "./lib/drills.ts";
import { table, told, writeBetween } from "./lib/report.ts";
import { runDrill, type DrillResult } from "./lib/run-drill.ts";
import { soak } from "./soak/soak.ts";

const PAGE = path.join(ROOT, "docs/reliability.md");
const LIMIT_MS = 3_600_000;
/** Drills whose results have sections of their own. */
const SECTIONS: readonly { readonly mark: string; readonly drills: readonly Drill[] }[] = [
  { mark: "orphans", drills: [orphans] },
  { mark: "engine-soak", drills: [engineSoak] },
  { mark: "fleet", drills: [fleetKill, fleetStop] },
];

const { values, positionals } = parseArgs({
  options: { long: { type: "boolean", default: false }, soak: { type: "string" }, seed: { type: "string" } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !DRILLS.some((drill) => drill.name === name));
if (unknown !== undefined) {
  throw new Error(
    `no drill is called "${unknown}": choose from ${DRILLS.map(({ name }) => name).join(", ")}`,
  );
}
const minutes = Number(values.soak ?? (values.long ? 60 : 0));
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const form = values.long ? "long" : "short";
if (values.soak !== undefined) process.env["CODEXWRIGHT_SOAK_MINUTES"] = values.soak;
const chosen =
  positionals.length > 0
    ? DRILLS.filter(({ name }) => positionals.includes(name))
    : values.soak !== undefined && !values.long
      ? []
      : DRILLS;
const version = execFileSync(codexFor(ROOT), ["--version"], { encoding: "utf8" }).trim();
const where = `Node ${process.versions.node}, ${version}, ${process.platform} ${process.arch}, ${cpus().length} cores`;
console.log(`${where}, form ${form}, seed ${seed}\n`);

const options = {
  seed,
  program: path.join(import.meta.dirname, "child.js"),
  onProgress: (text: string) => void process.stderr.write(text),
};
const failed: DrillResult[] = [];
const results: DrillResult[] = [];
for (const drill of chosen) {
  const result = await runDrill(drill, { ...options, form, limitMs: minutes * 60_000 + LIMIT_MS });
  console.log(told(result));
  results.push(result);
  if (result.status === "failed") failed.push(result);
}
const day = new Date().toISOString().slice(0, 10);
const head = `${day}, ${where}; form \`${form}\`, seed ${seed}.`;
if (chosen === DRILLS && failed.length === 0) {
  const others = results.filter(({ drill }) => !SECTIONS.some(({ drills }) => drills.includes(drill)));
  writeBetween(PAGE, "drills", `${head}\n\n${table(others)}`);
}
for (const { mark, drills } of SECTIONS) {
  const own = results.filter(({ drill }) => drills.includes(drill));
  if (own.length === drills.length && own.every(({ status }) => status === "passed"))
    writeBetween(PAGE, mark, `${head}\n\n${table(own)}`);
}
if (minutes > 0 && !positionals.includes(engineSoak.name)) {
  process.env["CODEXWRIGHT_SOAK_MINUTES"] = `${minutes}`;
  console.log(`soak for ${minutes} minutes …`);
  const result = await runDrill(soak, { ...options, form: "long", limitMs: minutes * 60_000 + LIMIT_MS });
  console.log(told(result));
  if (result.status === "failed") failed.push(result);
  else {
    const facts = (result.report?.facts ?? []).map((fact) => `- ${fact}`).join("\n");
    const soaked = `${day}, ${where}; ${(result.seconds / 60).toFixed(1)} minutes, seed ${seed}.`;
    writeBetween(PAGE, "soak", `${soaked}\n\n${facts}`);
  }
}
if (failed.length > 0) {
  console.log(`${failed.length} failed: ${failed.map(({ drill }) => drill.name).join(", ")}`);
  process.exitCode = 1;
}
