/**
 * `npm run bench -- [--no-gate] [--quick] [--write] [measure …]`: measures, prints the results, and fails if a target
 * is missed. A run of all measures writes docs/benchmarks.md, the files in docs/benchmarks, and the plots in
 * docs/pictures. With `--write`, a run of some measures replaces their figures there.
 */
import { parseArgs } from "node:util";
import { surroundings } from "./lib/machine.ts";
import { publish } from "./lib/publish.ts";
import { format, missed } from "./lib/report.ts";
import { readResults, withSections, writeResults, type Section } from "./lib/results.ts";
import { sampling } from "./lib/sample.ts";
import { ServerPrograms } from "./lib/server-program.ts";
import { MEASURES } from "./measures.ts";

const { values, positionals } = parseArgs({
  options: {
    "no-gate": { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !Object.hasOwn(MEASURES, name));
if (unknown !== undefined) {
  throw new Error(`no measure is called "${unknown}": choose from ${Object.keys(MEASURES).join(", ")}`);
}
const wanted = Object.entries(MEASURES).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);

if (values.quick) sampling.most = 1;
const isAll = positionals.length === 0;
const about = surroundings();
console.log(
  `${about.versions.map(([name, version]) => `${name} ${version}`).join(", ")}; ${about.machine}\n`,
);
const begun = performance.now();
const sections: Section[] = [];
using servers = new ServerPrograms();
// Signals are not handled while a sample runs. A terminal also sends the signal to the sample's process. When that
// process ends, the run ends too.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    servers[Symbol.dispose]();
    process.exit(1);
  });
}
for (const [name, measure] of wanted) {
  const since = performance.now();
  const own = isAll ? {} : { own: { ...surroundings(), quick: values.quick } };
  const tables = await measure.run(servers);
  sections.push({ name, heading: measure.heading, about: measure.about, tables, ...own });
  for (const table of tables) console.log(format(table));
  console.log(`(${name}: ${seconds(since)} s)\n`);
}
console.log(`${seconds(begun)} s in all`);
if (isAll) publish(writeResults({ ...about, quick: values.quick, sections }));
else if (values.write) publish(writeResults(withSections(readResults(), sections, Object.keys(MEASURES))));
const misses = sections.flatMap(({ tables }) => tables.flatMap(missed));
if (misses.length > 0) {
  console.log(`${misses.length} ${misses.length === 1 ? "target" : "targets"} missed`);
  if (!values["no-gate"]) process.exitCode = 1;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(0);
}
