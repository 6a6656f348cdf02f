/**
 * `npm run architecture -- --write` writes the tables of layers and the walks (the files that a delta, an
 * approval, a tool call or an issue of a fleet passes through) into ARCHITECTURE.md. Without `--write` it fails if the page
 * differs from the data in test/layers.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Room } from "../test/layers/room.ts";
import { PACKAGES } from "../test/layers/table.ts";
import { distanceOf, WALKS, type Step, type Walk } from "../test/layers/walks.ts";
import { ROOT } from "./steps.ts";

/** Generates the text between the markers `<!-- name -->` and `<!-- /name -->` of the page. */
const PARTS: Readonly<Record<string, () => string>> = {
  packages: packageTable,
  layers: () => roomTable("layer", PACKAGES["codexwright"]?.rooms ?? {}),
  rooms: roomTables,
  orchestrator: () => roomTable("layer", PACKAGES["@codexwright/orchestrator"]?.rooms ?? {}),
  walks: () => WALKS.map(walkText).join("\n\n"),
};

/** Returns the page with its generated parts replaced from the data. */
export function architecturePage(page: string): string {
  return Object.entries(PARTS).reduce((text, [name, make]) => {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from === -1 || to < from) throw new Error(`ARCHITECTURE.md has no part between ${start} and ${end}`);
    return `${text.slice(0, from + start.length)}\n\n${make()}\n\n${text.slice(to)}`;
  }, page);
}

function packageTable(): string {
  const rows = Object.entries(PACKAGES).map(([name, { is, entries }]) => {
    const byPackage = Object.keys(PACKAGES).flatMap((other) => {
      const of = entries.filter((entry) => entry === other || entry.startsWith(`${other}/`));
      if (of.length === 0) return [];
      const parts = of.map((entry) => entry.slice(other.length + 1) || ".");
      return [parts.join() === "." ? code(other) : `${code(other)} (${parts.join(", ")})`];
    });
    return [code(name), is, byPackage.join(", ") || "–"];
  });
  return table(["package", "is", "may import"], rows);
}

/** A star marks a room that uses Node. Parentheses mark third-party packages. */
function roomTable(kind: string, rooms: Readonly<Record<string, Room>>): string {
  const rows = Object.entries(rooms).map(([name, room]) => {
    const { is = "", imports = [], dependencies = [], node } = room;
    const all = [...imports, ...dependencies.map((each) => `(${each})`)];
    return [`${code(name)}${node ? " \\*" : ""}`, is, all.join(", ") || "–"];
  });
  return table([kind, "is", "may import"], rows);
}

/** One table for each layer whose rooms are described. */
function roomTables(): string {
  return Object.entries(PACKAGES["codexwright"]?.rooms ?? {})
    .filter(([, { rooms = {} }]) => Object.values(rooms).some(({ is }) => is !== undefined))
    .map(([name, { rooms = {} }]) => roomTable(`room of ${code(name)}`, rooms))
    .join("\n\n");
}

function walkText(walk: Walk): string {
  const { files, crossings, questions } = distanceOf(walk);
  const steps = walk.steps.map((step, at) => `${at + 1}. ${stepText(step, walk)}`);
  const distance = `${files} files, ${count(crossings, "crossing")} between layers, ${count(questions, "helper call")} into another layer.`;
  return `### ${walk.title}\n\n${steps.join("\n")}\n\n${distance} ${walk.note}`;
}

function stepText({ file, does, asked }: Step, { package: folder }: Walk): string {
  return `[${code(file)}](packages/${folder}/src/${file})${asked ? " (helper)" : ""} ${does}.`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

/** A table with padded columns, as the formatter writes it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

if (import.meta.filename === process.argv[1]) {
  const file = path.join(ROOT, "ARCHITECTURE.md");
  const before = readFileSync(file, "utf8");
  const after = architecturePage(before);
  if (process.argv.includes("--write")) writeFileSync(file, after);
  else if (after !== before) {
    console.error("ARCHITECTURE.md differs from test/layers: run `npm run architecture -- --write`");
    process.exitCode = 1;
  }
}
