import { fleetNode } from "../../scripts/suite.ts";
import { exponent, type Point } from "../lib/fit.ts";
import { row, type Row, type Table } from "../lib/report.ts";
import { sampleAll, type Figures } from "../lib/sample.ts";
import { fillHome, forget } from "../real/large-home.ts";
import { openWorld, readWorld } from "../real/world.ts";

const SIZES = [1_250, 5_000, 20_000];
/** The size whose times are shown. */
const SHOWN = 5_000;
const COLD_ROUNDS = 2;
const WARM_ROUNDS = 4;
const LIMIT_MS = 300_000;
/** The limit for the exponent of a linear cost, as for other growth. */
const LINEAR = 1.15;

type Temperature = "cold" | "warm";

/** A time of a home: where it comes from, and the target of the engine as a multiple of Codex. */
interface Shown {
  readonly title: string;
  readonly of: Temperature;
  readonly figure: string;
  readonly target?: number;
}

const SHOWN_TIMES: readonly Shown[] = [
  { title: "spawn to the first list, never listed before", of: "cold", figure: "firstListMs", target: 1 },
  { title: "spawn to the first list", of: "warm", figure: "firstListMs", target: 2 },
  { title: "a list of 50 threads", of: "warm", figure: "listMs", target: 2 },
  { title: "a search through all threads", of: "warm", figure: "searchMs", target: 2 },
];

interface Server {
  readonly name: string;
  /** `codex`, or the Node that runs the engine. */
  readonly program: string;
  /** The samples of a size. */
  readonly samples: Map<number, Record<Temperature, Figures[]>>;
}

/** Measures lists and searches of threads in homes of several sizes, on Codex and on the engine. */
export async function largeHomes(): Promise<Table[]> {
  const codex: Server = { name: "Codex", program: "codex", samples: new Map() };
  const engine: Server = { name: "codexwright", program: await fleetNode(), samples: new Map() };
  for (const size of SIZES) await measureHome([codex, engine], size);
  const times = SHOWN_TIMES.map((shown): Table => {
    const bound: Row = { ...timeOf(codex, shown, SHOWN), of: "bound" };
    const ours = row(engine.name, samplesOf(engine, SHOWN, shown.of), shown.figure, {
      baseline: bound,
      ...(shown.target !== undefined && { target: shown.target }),
    });
    const title = `${SHOWN.toLocaleString("en")} threads: ${shown.title}`;
    return { title, unit: "ms", rows: [bound, { ...ours, of: "ours" }] };
  });
  const growth = SHOWN_TIMES.flatMap((shown) => [
    growthOf(codex, shown, {}),
    growthOf(engine, shown, { target: LINEAR }),
  ]);
  return [...times, { title: "Growth with the number of threads", unit: "exponent", rows: growth }];
}

/** The servers take turns. First without their caches, and then with them. */
async function measureHome(servers: readonly Server[], size: number): Promise<void> {
  await using world = await openWorld();
  const { codexHome } = readWorld(world.file);
  await fillHome(readWorld(world.file), size);
  for (const { samples } of servers) samples.set(size, { cold: [], warm: [] });
  const measure = (server: Server): readonly Figures[] => {
    const args = [server.program, world.file, "home", String(size)];
    return sampleAll([{ name: server.name, program: "engine", args, limitMs: LIMIT_MS }], 1)[0] ?? [];
  };
  for (let round = 0; round < COLD_ROUNDS; round++) {
    for (const server of servers) {
      forget(codexHome);
      samplesOf(server, size, "cold").push(...measure(server));
    }
  }
  // Each server found no cache of its own in the last rounds, or the other one has removed it.
  for (const server of servers) measure(server);
  for (let round = 0; round < WARM_ROUNDS; round++)
    for (const server of servers) samplesOf(server, size, "warm").push(...measure(server));
}

function samplesOf(server: Server, size: number, of: Temperature): Figures[] {
  const samples = server.samples.get(size);
  if (!samples) throw new Error(`${server.name} was not measured with ${size} threads`);
  return samples[of];
}

function timeOf(server: Server, { of, figure }: Shown, size: number): Row {
  return row(server.name, samplesOf(server, size, of), figure);
}

function growthOf(server: Server, shown: Shown, { target }: { readonly target?: number }): Row {
  const points = SIZES.map((size): Point => ({ size, cost: timeOf(server, shown, size).min }));
  const fitted = exponent(points);
  const [first, last] = [points[0], points.at(-1)].map((point) => point?.cost.toFixed(0));
  return {
    name: `${server.name}: ${shown.title} (${first} to ${last} ms)`,
    of: target === undefined ? "bound" : "ours",
    min: fitted,
    median: fitted,
    ...(target !== undefined && { target }),
    points,
  };
}
