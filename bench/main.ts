/** `npm run bench -- [--no-gate] [measure …]`: measures, prints, and fails where a target is missed. */
import { parseArgs } from "node:util";
import { format, met, type Table } from "./lib/report.ts";
import { ServerPrograms } from "./lib/server-program.ts";
import { importCost } from "./measures/import-cost.ts";
import { longLine } from "./measures/long-line.ts";
import { requests } from "./measures/requests.ts";
import { stalledConsumer } from "./measures/stalled-consumer.ts";
import { throughput } from "./measures/throughput.ts";

const MEASURES: Readonly<Record<string, (servers: ServerPrograms) => Table[]>> = {
  throughput,
  import: importCost,
  stalled: stalledConsumer,
  line: longLine,
  requests,
};

const { values, positionals } = parseArgs({
  options: { "no-gate": { type: "boolean", default: false } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !Object.hasOwn(MEASURES, name));
if (unknown !== undefined) {
  throw new Error(`no measure is called "${unknown}": give any of ${Object.keys(MEASURES).join(", ")}`);
}

console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}\n`);
using servers = new ServerPrograms();
let missed = 0;
for (const [name, measure] of Object.entries(MEASURES)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  for (const table of measure(servers)) {
    console.log(format(table));
    missed += table.rows.filter((each) => !met(each)).length;
  }
}
if (missed > 0) {
  console.log(`${missed} ${missed === 1 ? "target" : "targets"} missed`);
  if (!values["no-gate"]) process.exitCode = 1;
}
