import type { Table } from "./lib/report.ts";
import type { ServerPrograms } from "./lib/server-program.ts";
import { importCost } from "./measures/import-cost.ts";
import { longLine } from "./measures/long-line.ts";
import { requests } from "./measures/requests.ts";
import { stalledConsumer } from "./measures/stalled-consumer.ts";
import { throughput } from "./measures/throughput.ts";

/** One thing that is measured: a section of the page, and a name for the command line. */
export interface Measure {
  readonly heading: string;
  /** What is measured and how, in words; stands above the section's tables. */
  readonly about: string;
  run(servers: ServerPrograms): readonly Table[] | Promise<readonly Table[]>;
}

/** In the order of the page. */
export const MEASURES: Readonly<Record<string, Measure>> = {
  throughput: {
    heading: "Deltas",
    about: "CPU of the client's process from just before `turn/start` to the turn's end.",
    run: throughput,
  },
  import: {
    heading: "Import",
    about: "`import(…)` of the package, and of the one module of Node's that any client of a process needs.",
    run: importCost,
  },
  stalled: {
    heading: "A consumer that stalls",
    about:
      "Growth while nobody takes the events of a turn. The sample fails where text is lost or out of order.",
    run: stalledConsumer,
  },
  line: {
    heading: "Very long lines",
    about: "One item in one line.",
    run: longLine,
  },
  requests: {
    heading: "Requests in memory",
    about: "Both ends in one process.",
    run: requests,
  },
};
