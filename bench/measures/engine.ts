import path from "node:path";
import { installCached } from "../../scripts/install-cached.ts";
import { row, type AbsentRow, type Row, type Table } from "../lib/report.ts";
import { sampleAll, type Figures, type Subject } from "../lib/sample.ts";
import { openWorld } from "../real/world.ts";

const CODEX = "Codex";
const DELTAS = 20_000;
const TURNS = 20;
/** The newest releases of the Node lines that have a target for the start. */
const NODES = ["22.23.3", "24.21.0"];

interface Server {
  readonly name: string;
  /** `codex`, or the Node that runs the engine. */
  readonly program: string;
  /** Whether the start has a target on this Node. */
  readonly startsFast: boolean;
}

interface Shown {
  readonly title: string;
  readonly unit: string;
  readonly figure: string;
  /** The target of the engine, as a multiple of Codex. Default: none. */
  readonly target?: number;
  /** Whether the target holds only for servers that start fast. */
  readonly isStart?: boolean;
}

/** Measures our app-server beside Codex, with the same client and the same model. */
export async function engineServer(): Promise<Table[]> {
  const { servers, absent } = await findServers();
  await using world = await openWorld();
  // The first servers in a new home create their databases, so these runs are not counted.
  measure(servers, world.file, "start", 0, 1);
  const starts = measure(servers, world.file, "start", 0, 12);
  const first = measure(servers, world.file, "firstDelta", TURNS, 5);
  const many = measure(servers, world.file, "deltas", DELTAS, 5);
  const idle = measure(servers, world.file, "memory", 0, 5);
  const shown: readonly (readonly [Shown, readonly (readonly Figures[])[]])[] = [
    [
      {
        title: "Spawn to the answer to `initialize`",
        unit: "ms",
        figure: "startMs",
        target: 1.5,
        isStart: true,
      },
      starts,
    ],
    [{ title: "A trivial turn, to the first delta", unit: "ms", figure: "firstDeltaMs", target: 0.3 }, first],
    [{ title: "A trivial turn", unit: "ms", figure: "turnMs", target: 0.5 }, first],
    [
      {
        title: `A delta of a turn with ${DELTAS.toLocaleString("en")}`,
        unit: "µs",
        figure: "deltaUs",
        target: 0.5,
      },
      many,
    ],
    [{ title: "Memory after the handshake", unit: "MB", figure: "idleMb", target: 1 }, idle],
    [{ title: "Memory after that turn", unit: "MB", figure: "afterMb", target: 1 }, many],
  ];
  return shown.map(([what, samples]) => table(what, servers, samples, absent));
}

/** Codex, and the engine on every Node that is there. */
async function findServers(): Promise<{ servers: readonly Server[]; absent: readonly AbsentRow[] }> {
  const [major = 0] = process.versions.node.split(".").map(Number);
  const servers: Server[] = [
    { name: CODEX, program: "codex", startsFast: true },
    {
      name: `codexwright, Node ${process.versions.node}`,
      program: process.execPath,
      startsFast: major >= 22,
    },
  ];
  const absent: AbsentRow[] = [];
  for (const version of NODES) {
    if (version === process.versions.node) continue;
    const name = `codexwright, Node ${version}`;
    try {
      const folder = await installCached("node", version);
      servers.push({ name, program: path.join(folder, "node_modules/node/bin/node"), startsFast: true });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      absent.push({ name, of: "ours", absent: `this Node could not be installed: ${reason}` });
    }
  }
  return { servers, absent };
}

function measure(
  servers: readonly Server[],
  world: string,
  task: string,
  count: number,
  times: number,
): readonly (readonly Figures[])[] {
  const subjects = servers.map(({ name, program }): Subject => ({
    name: `${task}, ${name}`,
    program: "engine",
    args: [program, world, task, String(count)],
  }));
  return sampleAll(subjects, times);
}

function table(
  { title, unit, figure, target, isStart = false }: Shown,
  servers: readonly Server[],
  samples: readonly (readonly Figures[])[],
  absent: readonly AbsentRow[],
): Table {
  const baseline: Row = { ...row(CODEX, samples[0] ?? [], figure), of: "bound" };
  const rows = servers.slice(1).map(({ name, startsFast }, at): Row => {
    const against = { baseline, ...(target !== undefined && (!isStart || startsFast) && { target }) };
    return { ...row(name, samples[at + 1] ?? [], figure, against), of: "ours" };
  });
  return { title, unit, rows: [baseline, ...rows, ...absent] };
}
