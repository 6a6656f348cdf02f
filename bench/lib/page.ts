import type { Surroundings } from "./machine.ts";
import { ahead, cellsOf, missed, type Row, type Table } from "./report.ts";

/** What one measure contributes. */
export interface Section {
  readonly heading: string;
  readonly about: string;
  readonly tables: readonly Table[];
}

/** docs/benchmarks.md: what was measured on what, every table, and in words where ours is not ahead. */
export function page(
  { date, versions, machine }: Surroundings,
  sections: readonly Section[],
  { quick = false }: { readonly quick?: boolean } = {},
): string {
  const parts = [
    "# Benchmarks",
    `Written by \`npm run bench${quick ? " -- --quick" : ""}\` on ${date}${quick ? ", with one sample of each, so that small differences mean nothing" : ""}; [bench/README.md](../bench/README.md) says how the figures come about. Machine: ${machine}.
Compare ratios, not milliseconds: they are between the minima of one run. Lower is better.`,
    markdownTable([["", "version"], ...versions.map((each) => [...each])]),
    ...verdict(sections),
    ...sections.flatMap(({ heading, about, tables }) => [
      `## ${heading}`,
      about,
      ...tables.flatMap((table) => [`### ${table.title}`, markdownTable(withoutTitle(table))]),
    ]),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Where ours is behind, and why. */
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
    "## Where ours is not ahead",
    ...list(
      misses,
      "Every target is met.",
      "Targets missed, each with what the work is for (by the code, not by a profile):",
    ),
    ...list(
      behind,
      "No peer needs less than ours in any row.",
      "Peers that need less than ours, how much of it, and what ours does more (by the code, not by a profile):",
    ),
  ];
}

function list(lines: readonly string[], none: string, some: string): string[] {
  return lines.length === 0 ? [none] : [some, lines.map((line) => `- ${line}`).join("\n")];
}

function sentence(text: string, { why }: Row): string {
  return why === undefined ? `${text}.` : `${text}. ${why}`;
}

function against({ ratio, median, target }: Row): string {
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
