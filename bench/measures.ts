import type { Table } from "./lib/report.ts";
import type { ServerPrograms } from "./lib/server-program.ts";
import { deltas, longDeltas, memory } from "./measures/deltas.ts";
import { growth } from "./measures/growth.ts";
import { importCost } from "./measures/import-cost.ts";
import { longLine } from "./measures/long-line.ts";
import { realServer } from "./measures/real-server.ts";
import { requests } from "./measures/requests.ts";
import { roundTrips } from "./measures/round-trips.ts";
import { stalledConsumer } from "./measures/stalled-consumer.ts";
import { translate } from "./measures/translate.ts";

/** One thing that is measured: a section of the page, and a name for the command line. */
export interface Measure {
  readonly heading: string;
  /** What is measured and how, in words; stands above the section's tables. */
  readonly about: string;
  run(servers: ServerPrograms): readonly Table[] | Promise<readonly Table[]>;
}

/** In the order of the page. */
export const MEASURES: Readonly<Record<string, Measure>> = {
  deltas: {
    heading: "Deltas",
    about:
      "CPU of the client's process for each message, from just before `turn/start` to the turn's end. Peers get the same text in as many messages of their own protocol; `of ours` is against `onNotification` where the peer calls a listener, against `for await` where it is iterated. Peers that start Codex with the turn have that in their figure.",
    run: deltas,
  },
  memory: {
    heading: "Memory",
    about:
      "`Resident at the peak` is the most the process ever held, Node's own 45 MB included; `in use at the end` is what is still held, after a collection, while the client is connected and the turn's result at hand.",
    run: memory,
  },
  long: {
    heading: "Very long messages",
    about: "One delta that is so long, in one message.",
    run: longDeltas,
  },
  line: {
    heading: "Very long lines, by what they hold",
    about:
      "An item of 32 MB: in chunks of 64 KiB through `LineDecoder` and `JSON.parse`, against `JSON.parse` of the text; and a whole turn over stdio against the least a client can do there.",
    run: longLine,
  },
  requests: {
    heading: "Requests in flight",
    about:
      "As fast as they are answered, from a server that answers at once. `Ratio` is against the raw client of the same transport.",
    run: requests,
  },
  "round-trips": {
    heading: "Questions of the server's",
    about:
      "One at a time, answered at once. The times are the server's own, from writing the question to having the answer, without the first tenth of them.",
    run: roundTrips,
  },
  translate: {
    heading: "As an adapter",
    about: "What an adapter between Codex and an editor does: each delta is written on to another process.",
    run: translate,
  },
  stalled: {
    heading: "A consumer that stalls",
    about:
      "Growth while nobody takes the events of a turn. The sample fails where text is lost or out of order.",
    run: stalledConsumer,
  },
  import: {
    heading: "Import",
    about: "`import(…)` of the package, and of the one module of Node's that any client of a process needs.",
    run: importCost,
  },
  real: {
    heading: "A real server",
    about:
      "The pinned Codex with a scripted model that answers at once, in a process of its own. The raw client is a process, lines of JSON and two maps; it and the official SDK run the same binary. The SDK starts a `codex exec` for each turn and has no deltas: its first text is the whole message. Milliseconds are what a user waits, most of them for the server.",
    run: realServer,
  },
  growth: {
    heading: "Growth",
    about:
      "How CPU grows with the number or the size of something: the k of cost = c · size^k, fitted by least squares to the logarithms. 1 is linear, and above 1.15 the run fails. In brackets: what one costs at the least and at the largest size.",
    run: growth,
  },
};
