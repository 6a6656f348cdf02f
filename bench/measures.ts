import type { Table } from "./lib/report.ts";
import type { ServerPrograms } from "./lib/server-program.ts";
import { deltas, longDeltas, memory } from "./measures/deltas.ts";
import { engineServer } from "./measures/engine.ts";
import { fleet } from "./measures/fleet.ts";
import { growth } from "./measures/growth.ts";
import { importCost } from "./measures/import-cost.ts";
import { largeHomes } from "./measures/large-homes.ts";
import { longLine } from "./measures/long-line.ts";
import { realServer } from "./measures/real-server.ts";
import { requests } from "./measures/requests.ts";
import { roundTrips } from "./measures/round-trips.ts";
import { stalledConsumer } from "./measures/stalled-consumer.ts";
import { translate } from "./measures/translate.ts";

/** One measure: a section of the page, with a name for the command line. */
export interface Measure {
  readonly heading: string;
  /** Describes the measure and its method, above the section's tables. */
  readonly about: string;
  run(servers: ServerPrograms): readonly Table[] | Promise<readonly Table[]>;
}

/** The measures, in the order of the page. */
export const MEASURES: Readonly<Record<string, Measure>> = {
  deltas: {
    heading: "Deltas",
    about:
      "CPU of the client's process for each message, from just before `turn/start` to the end of the turn. Peers get the same text in the same number of messages of their own protocol. `of ours` compares with `onNotification` if the peer calls a listener, and with `for await` if it is iterated. For peers that start Codex with the turn, the figure includes that start.",
    run: deltas,
  },
  memory: {
    heading: "Memory",
    about:
      "`Resident at the peak` is the peak memory of the process, including Node's own 45 MB. `In use at the end` is the memory in use after a garbage collection, while the client is connected and the turn's result is still referenced.",
    run: memory,
  },
  long: {
    heading: "Very long messages",
    about: "One delta of this length, in one message.",
    run: longDeltas,
  },
  line: {
    heading: "Very long lines, by content",
    about:
      "An item of 32 MB: in chunks of 64 KiB through `LineDecoder` and `JSON.parse`, compared with `JSON.parse` of the text; and a whole turn over stdio, compared with the least a client can do there.",
    run: longLine,
  },
  requests: {
    heading: "Requests in flight",
    about:
      "The server answers every request immediately, and the client sends the next one for each answer. `Ratio` compares with the raw client over the same transport.",
    run: requests,
  },
  "round-trips": {
    heading: "Server requests",
    about:
      "The server sends one request at a time, and the client answers it immediately. The server measures the time from writing the request to receiving the answer, and leaves out the first tenth of the requests.",
    run: roundTrips,
  },
  translate: {
    heading: "As an adapter",
    about: "The work of an adapter between Codex and an editor: each delta is forwarded to another process.",
    run: translate,
  },
  stalled: {
    heading: "A consumer that stalls",
    about:
      "Memory growth while the events of a turn are not consumed. The sample fails if text is lost or out of order.",
    run: stalledConsumer,
  },
  import: {
    heading: "Import",
    about:
      "`import(…)` of the package, compared with `node:child_process`, which every client that starts a process needs.",
    run: importCost,
  },
  real: {
    heading: "A real server",
    about:
      "The pinned Codex with a scripted model that answers immediately, in its own process. The raw client is a process, lines of JSON and two maps; it and the official SDK run the same binary. The SDK starts a `codex exec` for each turn and has no deltas: its first text is the whole message. The milliseconds are the time that a user waits, most of it for the server.",
    run: realServer,
  },
  engine: {
    heading: "Our app-server beside Codex",
    about:
      "`codexwright app-server` and the pinned Codex, with the same minimal client, the same configuration and a scripted model that answers immediately, in its own process. Both store the thread on disk. The milliseconds are wall-clock time. The start has a target on Node 22 and later: Node 20 itself takes as long to start as Codex.",
    run: engineServer,
  },
  threads: {
    heading: "Homes with many threads",
    about:
      "`codexwright app-server` and the pinned Codex in the same home, with the same minimal client. The files have about 10 kB each. For the first list without caches, Codex builds its database, and the engine its index. Wall-clock time, with the start of the server where it is named. The growth is the k of time = c · threads^k; in brackets: the time at the smallest and at the largest size.",
    run: largeHomes,
  },
  fleet: {
    heading: "A fleet",
    about:
      "A fleet of the orchestrator, in its own process, with the embedded database (PGlite) and a folder of issues. Its agents are a fake app-server: each is a process of its own, the model is in another one, and a speaking agent sends 20 words a second. The targets are for the median, in the unit of the table; the ratio compares with the first row of the table. Times include the start of Node if a process starts. Each app-server is started by a login shell of a user without a profile.",
    run: fleet,
  },
  growth: {
    heading: "Growth",
    about:
      "How CPU grows with the number or the size of something: the k of cost = c · size^k, fitted by least squares to the logarithms. A k of 1 is linear, and above 1.15 the run fails. In brackets: the cost of one unit at the smallest and at the largest size.",
    run: growth,
  },
};
