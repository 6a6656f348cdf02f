import { pictureTag } from "../../scripts/svg/tag.ts";
import type { Surroundings } from "./machine.ts";
import { ahead, cellsOf, isMeasured, missed, targetRatio, type Row, type Table } from "./report.ts";
import type { Results, Run, Section } from "./results.ts";

/** A plot of the page, with the few words that a reader needs. */
interface Plot {
  readonly heading: string;
  readonly name: string;
  readonly alt: string;
  readonly words: string;
}

const PLOTS: readonly Plot[] = [
  {
    heading: "CPU of a message",
    name: "benchmarks-cpu",
    alt: "CPU for each message: the raw bound, codexwright and other clients, on a logarithmic scale",
    words:
      "`raw` is the least a client can do: cut the lines, `JSON.parse`, count. Blue is codexwright in its four ways to follow a thread; other clients are orange and get the same text in the same number of messages of their own protocol.",
  },
  {
    heading: "Growth",
    name: "benchmarks-growth",
    alt: "CPU against size for every kind of size, on logarithmic axes, each with its fitted exponent",
    words:
      "The k of cost = c · size^k, fitted by least squares to the logarithms. 1 is linear; above 1.15 the run fails, and the plot is orange.",
  },
  {
    heading: "Memory",
    name: "benchmarks-memory",
    alt: "Memory of clients during and after a turn with a million deltas",
    words:
      "Some clients need many times as long and got fewer messages, so they cannot be compared here. The tables include them.",
  },
  {
    heading: "A real server",
    name: "benchmarks-real",
    alt: "Times of start, turns and recovery on the real Codex: the raw client, codexwright and the official SDK",
    words:
      "The pinned Codex with a scripted model that answers immediately. The official SDK starts a `codex exec` for each turn.",
  },
  {
    heading: "Our own app-server",
    name: "benchmarks-engine",
    alt: "Start, turns, deltas and memory of our app-server as multiples of Codex's",
    words:
      "`codexwright app-server` on Node 22 beside the pinned Codex, in one run, with threads stored on disk. The tables show other versions of Node, and how lists grow with the number of threads.",
  },
];

/** docs/benchmarks.md: the plots, and the measures in which codexwright is not ahead. */
export function page(results: Results): string {
  const { sections, versions } = results;
  const parts = [
    "# Benchmarks",
    `${origin(results)} Compare ratios, not milliseconds: a ratio compares the minima of one run. Lower is better. [The tables](benchmarks/tables.md) show every figure, and [data.json](benchmarks/data.json) has the same data for programs.`,
    ...replacedLater(sections),
    ...PLOTS.flatMap(({ heading, name, alt, words }) => [
      `## ${heading}`,
      pictureTag(name, alt, "./pictures"),
      words,
    ]),
    ...fleetTable(sections),
    ...verdict(sections),
    "## Versions",
    versionTable(versions),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** docs/benchmarks/tables.md: every table. */
export function tablesPage(results: Results): string {
  const parts = [
    "# Tables of the benchmarks",
    `${origin(results, "../")} [The page of benchmarks](../benchmarks.md) has plots of the most important figures.`,
    ...results.sections.flatMap(({ heading, about, tables, name, own }) => [
      `## ${heading}`,
      about,
      ...(own ? [ownOrigin(name, own, results)] : []),
      ...tables.flatMap((table) => [`### ${table.title}`, markdownTable(withoutTitle(table))]),
    ]),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** States when, how and on what class of machine the results were measured. */
function origin({ date, machine, quick }: Results, up = ""): string {
  const command = `npm run bench${quick ? " -- --quick" : ""}`;
  const few = quick ? ", with one sample of each, so small differences mean nothing" : "";
  return `Written by \`${command}\` on ${date}${few}; [bench/README.md](${up}../bench/README.md) describes how it measures. Machine: ${machine}.`;
}

/** Names the sections that were measured after the others. */
function replacedLater(sections: readonly Section[]): string[] {
  const later = sections.flatMap(({ heading, own }) => (own ? [`_${heading}_ (${own.date})`] : []));
  return later.length === 0
    ? []
    : [
        `Measured later, each in a run of its own: ${later.join(", ")}. The tables show the load of the machine for each of them.`,
      ];
}

/** States when a section was measured, and the versions that differ from those of the page. */
function ownOrigin(name: string, own: Run, { versions }: Results): string {
  const others = new Map(versions);
  const differ = own.versions.filter(([product, version]) => others.get(product) !== version);
  const products = differ.map((each) => ` ${each.join(" ")}.`).join("");
  return `Measured by \`npm run bench -- ${own.quick ? "--quick " : ""}--write ${name}\` on ${own.date}. Machine: ${own.machine}.${products}`;
}

function versionTable(versions: Surroundings["versions"]): string {
  return markdownTable([["", "version"], ...versions.map((each) => [...each])]);
}

/** Missed targets and clients that need less, each with the reason. */
function verdict(sections: readonly Section[]): string[] {
  const tables = sections.flatMap((each) => each.tables);
  const misses = tables.flatMap((table) =>
    missed(table).map((each) => sentence(`**${table.title}**, ${each.name}: ${against(each)}`, each)),
  );
  const behind = tables.flatMap((table) => {
    const pairs = ahead(table);
    const [first] = pairs;
    if (!first) return [];
    const peers = pairs.map(({ ours, peer }) => `${peer.name} (${(peer.min / ours.min).toFixed(2)}x)`);
    return [sentence(`**${table.title}**: ${peers.join(", ")}`, first.peer)];
  });
  return [
    "## Missed targets and faster clients",
    ...list(
      misses,
      "Every target is met.",
      "Missed targets. Each states the purpose of the extra work, which we know from the code, not from a profile:",
    ),
    ...list(
      behind,
      "No other client needs less than codexwright in any row.",
      "Clients that need less than codexwright, as a fraction of codexwright's cost. Each entry states what codexwright does in addition, which we know from the code, not from a profile:",
    ),
  ];
}

/** The rows of a fleet that have targets. */
function fleetTable(sections: readonly Section[]): string[] {
  const fleet = sections.find(({ name }) => name === "fleet");
  if (!fleet) return [];
  const lines = fleet.tables.flatMap(({ title, unit, rows }) =>
    rows
      .filter(isMeasured)
      .flatMap((each) =>
        each.target === undefined
          ? []
          : [[title, each.name, `${figure(each.median)} ${unit}`, `${figure(each.target)} ${unit}`]],
      ),
  );
  return [
    "## A fleet",
    "The orchestrator on one machine, with its embedded database. The tables also show the least that each kind of work needs.",
    markdownTable([["", "", "median", "target"], ...lines]),
  ];
}

function figure(value: number): string {
  return value.toLocaleString("en", { maximumSignificantDigits: 3 });
}

function list(lines: readonly string[], none: string, some: string): string[] {
  return lines.length === 0 ? [none] : [some, lines.map((line) => `- ${line}`).join("\n")];
}

function sentence(text: string, { why }: Row): string {
  return why === undefined ? `${text}.` : `${text}. ${why}`;
}

function against(each: Row): string {
  const { median, target } = each;
  const ratio = targetRatio(each);
  return ratio === undefined
    ? `${median.toFixed(1)} instead of ${target}`
    : `${ratio.toFixed(2)}x instead of ${target}x`;
}

function withoutTitle(table: Table): string[][] {
  const [head = [], ...rows] = cellsOf(table);
  return [["", ...head.slice(1)], ...rows];
}

function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const rule = head.map((_, column) => (column === 0 || column === head.length - 1 ? "---" : "---:"));
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}
