import { BATCH, wordOf } from "../lib/load.ts";
import { row, type AbsentRow, type Row, type Table } from "../lib/report.ts";
import { sampleSome, type Absent, type Figures, type Subject } from "../lib/sample.ts";
import type { ServerPrograms } from "../lib/server-program.ts";
import { installPeer } from "../peers/install.ts";
import { ADAPTER } from "../peers/list.ts";

const LOAD = { threads: 1, count: 50_000, length: 0, batch: BATCH };
const OURS = "ours: for await, JSON.stringify, write";

/** The work of an adapter: each delta is forwarded to another process in another protocol. */
export async function translate(servers: ServerPrograms): Promise<Table[]> {
  const word = wordOf(LOAD);
  const server = servers.make("stream", word);
  const nodeFlags = ["--expose-gc"];
  const adapter = await adapterSubject(server, word);
  const outcomes = sampleSome(
    [
      { name: "raw", program: "translate", args: ["raw", server, word], nodeFlags },
      { name: OURS, program: "translate", args: ["ours", server, word], nodeFlags },
      ...("absent" in adapter ? [] : [adapter]),
    ],
    2,
  );
  const [raw = [], ours = [], theirs = adapter as Absent] = outcomes;
  const baseline = row("raw: JSON.parse, JSON.stringify, write", raw as Figures[], "cpuUs");
  return [
    {
      title: `${LOAD.count.toLocaleString("en")} deltas, each given on in the Agent Client Protocol`,
      unit: "CPU µs a message",
      rows: [
        { ...baseline, of: "bound" },
        { ...row(OURS, ours as Figures[], "cpuUs", { baseline }), of: "ours" },
        adapterRow(theirs, baseline),
      ],
    },
  ];
}

async function adapterSubject(server: string, word: string): Promise<Subject | Absent> {
  const { name } = ADAPTER;
  try {
    const folder = await installPeer(ADAPTER);
    return { name, program: "codex-acp", args: [folder, server, word], limitMs: 60_000, optional: true };
  } catch (error) {
    return { absent: `could not be installed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function adapterRow(outcome: readonly Figures[] | Absent, baseline: Row): Row | AbsentRow {
  const { name } = ADAPTER;
  if ("absent" in outcome) return { name, of: "peer", absent: outcome.absent };
  return { ...row(name, outcome, "cpuUs", { baseline }), of: "peer", rival: OURS };
}
