import { TRANSPORTS, type TransportName } from "../lib/listening.ts";
import { BATCH, messagesOf, wordOf, type Load } from "../lib/load.ts";
import { row, type Row, type Table } from "../lib/report.ts";
import { sampleSome, type Absent, type Figures, type Subject } from "../lib/sample.ts";
import type { ServerPrograms } from "../lib/server-program.ts";
import { field, rowsOf, subjectsOf, type Entry } from "../peers/field.ts";
import type { PeerInfo, Task } from "../peers/list.ts";
import { RAW, READ, WAYS, type Way } from "./ways.ts";

/** One figure of all subjects, as a table. */
interface Told {
  readonly title: string;
  readonly figure: string;
  readonly unit: string;
  /** Whether the targets apply to this figure. */
  readonly gated: boolean;
}

/** A stream of deltas that every subject consumes, and the number of samples. */
interface Workload {
  readonly task: Task;
  readonly load: Load;
  readonly times: Readonly<Record<TransportName, number>>;
  readonly told: readonly Told[];
  /** Default: all. */
  readonly transports?: readonly TransportName[];
  /** The reason that is printed if a peer needs less. */
  readonly why: string;
  /** The ways to use codexwright that are measured; default: all. */
  readonly ways?: readonly Way[];
}

/** Some peers copy a very long message so often that they would not finish. */
const PEER_LIMIT_MS = { short: 60_000, long: 6_000 } as const;

const MORE =
  "Besides delivering the event, codexwright maintains the thread's state, the turn's result and its silence clock. A bare JSON-RPC library does not.";
const CPU = { figure: "cpuUs", unit: "CPU µs a message", gated: true } as const;

const WORKLOADS: readonly Workload[] = [
  {
    task: "batched",
    load: { threads: 1, count: 200_000, length: 0, batch: BATCH },
    times: { stdio: 3, unix: 2, ws: 2 },
    why: MORE,
    told: [
      { ...CPU, title: "200,000 deltas, many a write" },
      { title: "200,000 deltas, many a write: time", figure: "wallUs", unit: "µs a message", gated: false },
    ],
  },
  {
    task: "singly",
    load: { threads: 1, count: 200_000, length: 0, batch: 1 },
    times: { stdio: 2, unix: 2, ws: 2 },
    why: MORE,
    told: [{ ...CPU, title: "200,000 deltas, one a write" }],
  },
  {
    task: "threads",
    load: { threads: 100, count: 2_000, length: 0, batch: BATCH },
    times: { stdio: 5, unix: 3, ws: 3 },
    why: MORE,
    told: [{ ...CPU, title: "100 threads with 2,000 deltas each" }],
  },
];

export async function deltas(servers: ServerPrograms): Promise<Table[]> {
  return await tables(servers, WORKLOADS);
}

export async function memory(servers: ServerPrograms): Promise<Table[]> {
  const told = [
    { title: "1,000,000 deltas: resident at the peak", figure: "peakMb", unit: "MB", gated: false },
    { title: "1,000,000 deltas: in use at the end", figure: "liveMb", unit: "MB", gated: false },
  ];
  const load = { threads: 1, count: 1_000_000, length: 0, batch: BATCH };
  const why =
    "codexwright keeps the text of the turn, here 12 MB, for its result and the thread's state. A client that keeps no text needs less.";
  const workload: Workload = { task: "memory", load, times: { stdio: 1, unix: 1, ws: 1 }, told, why };
  return await tables(servers, [
    { ...workload, transports: ["stdio"] },
    { ...workload, transports: ["unix", "ws"], ways: WAYS.filter(({ way }) => way === "callback") },
  ]);
}

export async function longDeltas(servers: ServerPrograms): Promise<Table[]> {
  const workloads = [32, 200].map((megabytes): Workload => ({
    task: "long",
    load: { threads: 1, count: 1, length: megabytes * 1024 * 1024, batch: BATCH },
    times: { stdio: 1, unix: 1, ws: 1 },
    told: [{ title: `a delta of ${megabytes} MB`, figure: "cpuMs", unit: "CPU ms", gated: megabytes === 32 }],
    why: "All clients read, decode and parse the text; codexwright also keeps it for the result of the turn.",
    ways: WAYS.filter(({ way }) => way === "callback" || way === "iterator"),
    // The shorter message is enough to show the cost of a socket.
    ...(megabytes > 32 && { transports: ["stdio"] }),
  }));
  return await tables(servers, workloads);
}

async function tables(servers: ServerPrograms, workloads: readonly Workload[]): Promise<Table[]> {
  const made: Table[] = [];
  for (const workload of workloads) {
    for (const transport of workload.transports ?? TRANSPORTS)
      made.push(...(await tablesOver(transport, servers, workload)));
  }
  return made;
}

async function tablesOver(
  transport: TransportName,
  servers: ServerPrograms,
  workload: Workload,
): Promise<Table[]> {
  const { task, load, times, told, ways = WAYS } = workload;
  const server = servers.make("stream", wordOf(load));
  const args = [transport, server, wordOf(load)];
  const nodeFlags = ["--expose-gc"];
  // Peers cannot be reached over sockets.
  const peers =
    transport === "stdio"
      ? await field(servers, {
          task,
          server: (peer) => ["stream", wordOf(fewer(load, peer))],
          args: (peer) => [wordOf(fewer(load, peer))],
          name: (peer) => nameWith(fewer(load, peer), load, peer),
          limitMs: load.length > 0 ? PEER_LIMIT_MS.long : PEER_LIMIT_MS.short,
        })
      : [];
  const own: readonly Subject[] = [
    { name: RAW, program: "raw", args, nodeFlags },
    ...(readsAlone(transport, workload)
      ? [{ name: READ, program: "raw-read", args: [server, wordOf(load)], nodeFlags }]
      : []),
    ...ways.map(({ way, name }) => ({ name, program: "ours", args: [way, ...args], nodeFlags })),
  ];
  const outcomes = sampleSome([...own, ...subjectsOf(peers)], times[transport]);
  return told.map((each) => table(each, transport, workload, peers, outcomes));
}

/** Whether to add a row for reading alone, which is the lower bound for a client that skips all messages. */
function readsAlone(transport: TransportName, { task, ways = WAYS }: Workload): boolean {
  return transport === "stdio" && task !== "memory" && ways.some(({ way }) => way === "unlistened");
}

/** Limits the messages to the number that a peer can process in the available time. */
function fewer(load: Load, { most = Number.POSITIVE_INFINITY }: PeerInfo): Load {
  return { ...load, count: Math.min(load.count, most / load.threads) };
}

function nameWith(own: Load, all: Load, { name }: PeerInfo): string {
  return own.count === all.count ? name : `${name} (${messagesOf(own).toLocaleString("en")} of them)`;
}

function table(
  { title, figure, unit, gated }: Told,
  transport: TransportName,
  workload: Workload,
  peers: readonly Entry[],
  outcomes: readonly (readonly Figures[] | Absent)[],
): Table {
  const { task, load, why: whyPeers, ways = WAYS } = workload;
  const left = [...outcomes];
  const next = (): readonly Figures[] => (left.shift() ?? []) as readonly Figures[];
  const baseline: Row = { ...row(RAW, next(), figure), of: "bound" };
  const read: Row[] = readsAlone(transport, workload)
    ? [{ ...row(READ, next(), figure, { baseline }), of: "bound" }]
    : [];
  const least = read[0]?.ratio ?? 0;
  const ours = ways.map(({ name, target, why, sockets }): Row => {
    // A target below the cost of reading alone cannot be met, so it is dropped.
    const aimed = gated && (transport === "stdio" || sockets) && least < target;
    return { ...row(name, next(), figure, { baseline, ...(aimed && { target }) }), of: "ours", why };
  });
  // The cost per message is comparable for any number of messages. The memory is not comparable after different numbers
  // of messages.
  const rivals = (peer: PeerInfo): string | undefined =>
    task === "memory" && fewer(load, peer).count < load.count
      ? undefined
      : ways.find(({ way }) => way === peer.like)?.name;
  const others = rowsOf(peers, left, figure, { baseline, rivals, why: whyPeers });
  return { title: `${title}, ${transport}`, unit, rows: [baseline, ...read, ...ours, ...others] };
}
