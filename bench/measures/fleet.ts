import { fleetNode } from "../../scripts/suite.ts";
import { row, type Row, type Table } from "../lib/report.ts";
import { sampleAll, type Figures, type Subject } from "../lib/sample.ts";

const ISSUES = 1_000;
const AGENTS = 10;
const CLAIMS = 200;
const STARTS = 20;
const REQUESTS = 500;
const LIMIT_MS = 300_000;

/** A row of a table: its name, its figure, and the longest median. */
type Shown = readonly [name: string, figure: string, target?: number];

interface Shape {
  readonly title: string;
  readonly unit?: string;
  readonly baseline?: Shown;
  readonly ours: readonly Shown[];
}

/** Measures what a fleet costs and how fast it is, each beside the least that its work needs. */
export async function fleet(): Promise<Table[]> {
  const node = await fleetNode();
  const ask = (times: number, program: string, ...args: (string | number)[]): readonly Figures[] => {
    const name = [program, ...args].join(" ");
    const subject: Subject = { name, program, args: args.map(String), node, limitMs: LIMIT_MS };
    return sampleAll([subject], times)[0] ?? [];
  };
  return [
    ...starts(ask(1, "fleet", "seedless"), ask(3, "fleet", "start"), ask(2, "fleet", "crash", AGENTS)),
    ...ticks(node),
    ...claims(ask(3, "fleet", "claim", CLAIMS), ask(2, "fleet", "life", STARTS)),
    ...working(ask(2, "fleet", "state", REQUESTS), ask(2, "fleet", "usage", AGENTS)),
  ];
}

function starts(seedless: readonly Figures[], start: readonly Figures[], crash: readonly Figures[]): Table[] {
  const baseline: Row = { ...row("PGlite alone, without a seed", seedless, "aloneMs"), of: "bound" };
  return [
    {
      title: "First start to the first tick",
      unit: "ms",
      rows: [baseline, ourRow(start, ["a fleet", "firstMs", 3_000], baseline)],
    },
    table(start, {
      title: "Restart to the first tick",
      baseline: ["PGlite alone opens the same database", "aloneMs"],
      ours: [["a fleet", "restartMs", 1_000]],
    }),
    table(crash, {
      title: `\`kill -9\` of a fleet with ${AGENTS} agents, from its next start`,
      baseline: [`${AGENTS} app-servers alone, started at the same time`, "aloneMs"],
      ours: [
        ["to the first tick", "tickedMs"],
        [`to ${AGENTS} turns`, "backMs", 5_000],
      ],
    }),
  ];
}

function ticks(node: string): Table[] {
  const issues = ISSUES.toLocaleString("en");
  return (["cold", "unchanged"] as const).map((what) => {
    const isCold = what === "cold";
    const subjects: Subject[] = [
      { name: "raw", program: "folder", args: ["raw", what, String(ISSUES)], node },
      { name: "poll", program: "folder", args: ["ours", what, String(ISSUES)], node },
      { name: "tick", program: "fleet", args: ["tick", String(ISSUES)], node, limitMs: LIMIT_MS },
    ];
    const [raw = [], poll = [], tick = []] = sampleAll(subjects, 5);
    const baseline: Row = {
      ...row(isCold ? "raw: read every file" : "raw: stat every file", raw, "pollMs"),
      of: "bound",
    };
    const ours = (samples: readonly Figures[], shown: Shown): Row => ourRow(samples, shown, baseline);
    return {
      title: `${issues} issues in a folder, ${isCold ? "all read and parsed" : "none changed"}`,
      unit: "ms",
      rows: [
        baseline,
        ours(poll, ["a poll of the tracker", "pollMs"]),
        ours(tick, ["a tick", `${what}Ms`, isCold ? 500 : 50]),
        ...(isCold ? [] : [ours(tick, ["a tick, its CPU", "unchangedCpuMs"])]),
      ],
    };
  });
}

function claims(claim: readonly Figures[], life: readonly Figures[]): Table[] {
  return [
    table(claim, {
      title: "A claim and its job, in one transaction",
      baseline: ["PGlite alone: two rows in one transaction", "aloneMs"],
      ours: [
        ["half of the claims took at most", "claimMs", 10],
        ["95 of 100 claims took at most", "claimP95Ms"],
      ],
    }),
    table(life, {
      title: "From the slot of an issue to the answer of its app-server",
      baseline: ["95 of 100 starts of the app-server alone", "aloneP95Ms"],
      ours: [
        ["half of the starts", "startedMs"],
        ["95 of 100 starts", "startedP95Ms", 1_500],
      ],
    }),
  ];
}

function working(state: readonly Figures[], usage: readonly Figures[]): Table[] {
  return [
    table(state, {
      title: `\`GET /api/v1/state\` with ${AGENTS} speaking agents and a hook that hangs`,
      baseline: ["99 of 100 answers of a bare HTTP server with the same body", "bareP99Ms"],
      ours: [
        ["half of the answers took at most", "stateMs"],
        ["99 of 100 answers took at most", "stateP99Ms", 50],
      ],
    }),
    table(usage, {
      title: "Resident memory",
      unit: "MB",
      baseline: ["PGlite alone, with the same database", "aloneMb"],
      ours: [[`a fleet with ${AGENTS} speaking agents`, "allMb", 650]],
    }),
    table(usage, {
      title: "Memory for each speaking agent",
      unit: "MB",
      ours: [["a fleet", "agentMb", 15]],
    }),
    table(usage, {
      title: "CPU, in percent of a core",
      unit: "%",
      ours: [
        ["a fleet without agents", "idleCpu"],
        ["for each speaking agent", "agentCpu", 2],
      ],
    }),
  ];
}

function table(samples: readonly Figures[], { title, unit = "ms", baseline, ours }: Shape): Table {
  const bound: Row | undefined = baseline && { ...row(baseline[0], samples, baseline[1]), of: "bound" };
  const rows = ours.map((shown) => ourRow(samples, shown, bound));
  return { title, unit, rows: [...(bound ? [bound] : []), ...rows] };
}

function ourRow(samples: readonly Figures[], [name, figure, target]: Shown, baseline?: Row): Row {
  const against = baseline && { baseline, ...(target !== undefined && { target }) };
  const ours = row(name, samples, figure, against);
  return { ...ours, of: "ours", ...(target !== undefined && { target, isAbsolute: true }) };
}
