import { isMeasured, type Row, type Table } from "../lib/report.ts";
import type { Results } from "../lib/results.ts";
import type { Draw } from "../../scripts/svg/files.ts";
import { barsSvg, type Bar } from "./bars.ts";
import { growthSvg, type GrowthSeries } from "./growth.ts";
import { inShort } from "./scale.ts";

/** The line of Node whose figures the plot of the engine shows. */
const SHOWN_NODE = 22;

/** The plots of a run of all benchmarks, by the names of their files. */
export function benchmarkPictures(results: Results): Readonly<Record<string, Draw>> {
  const tables = (name: string): readonly Table[] =>
    results.sections.find((section) => section.name === name)?.tables ?? [];
  const [deltas] = tables("deltas");
  const [peak, inUse] = tables("memory");
  const [growth] = tables("growth");
  return {
    "benchmarks-cpu": (theme) =>
      barsSvg(
        {
          title: "CPU of a message",
          note: "200,000 deltas over stdio, many in a write. Logarithmic scale; lower is better. Factors compare with codexwright used in the same way.",
          unit: "µs of CPU for each message",
          scale: "log",
          bars: cpuBars(deltas),
        },
        theme,
      ),
    "benchmarks-memory": (theme) =>
      barsSvg(
        {
          title: "Memory of a turn with 1,000,000 deltas",
          note: "Pale: the peak memory of the process, including Node. Dark: still in use at the end. Lower is better.",
          unit: "MB",
          scale: "linear",
          bars: memoryBars(peak, inUse),
        },
        theme,
      ),
    "benchmarks-real": (theme) =>
      barsSvg(
        {
          title: "On the real Codex, with a model that answers immediately",
          note: "Wall-clock time as a multiple of the raw client's; the server takes most of it. Lower is better.",
          unit: "times the raw client",
          scale: "linear",
          bars: realBars(tables("real")),
        },
        theme,
      ),
    "benchmarks-engine": (theme) =>
      barsSvg(
        {
          title: "Our app-server beside Codex",
          note: "Time or memory as a multiple of Codex's, with the same client, configuration and scripted model. Lower is better.",
          unit: "times Codex",
          scale: "linear",
          bars: engineBars([...tables("engine"), ...tables("threads")]),
        },
        theme,
      ),
    "benchmarks-growth": (theme) => growthSvg(growthSeries(growth), theme),
  };
}

function measured(table: Table | undefined): Row[] {
  return (table?.rows ?? []).filter(isMeasured);
}

/** Replaces "ours" in the name of a row, because readers of a plot do not know what it refers to. */
function subject(name: string): string {
  return name.replace(/^ours\b/, "codexwright");
}

function cpuBars(table: Table | undefined): Bar[] {
  const rows = measured(table);
  return rows
    .map(({ name, min, of = "peer", rival }): Bar => {
      const ours = rows.find((row) => row.name === rival);
      const against = ours ? ` · ${inShort(min / ours.min)}×` : "";
      // The name leaves out the number of messages, which does not change the cost of one message.
      return {
        name: subject(name.replace(/ \([\d,]+ of them\)$/, "")),
        value: min,
        label: `${inShort(min)} µs${against}`,
        of,
      };
    })
    .toSorted((a, b) => a.value - b.value);
}

/**
 * Includes only clients that got the same number of messages. The memory of a client that got fewer cannot be
 * compared.
 */
function memoryBars(peak: Table | undefined, inUse: Table | undefined): Bar[] {
  const after = measured(inUse);
  return measured(peak)
    .filter(({ of, rival }) => of !== "peer" || rival !== undefined)
    .map(({ name, min, of = "peer" }): Bar => {
      const part = after.find((row) => row.name === name)?.min ?? 0;
      return {
        name: subject(name),
        value: min,
        part,
        label: `${inShort(min)} MB, ${inShort(part)} kept`,
        of,
      };
    })
    .toSorted((a, b) => a.value - b.value);
}

function realBars(tables: readonly Table[]): Bar[] {
  return againstBound(tables.filter(({ unit }) => unit === "ms"));
}

/** Only one of our rows of each table: the engine on the oldest Node that has a target for the start. */
function engineBars(tables: readonly Table[]): Bar[] {
  const isShown = (name: string): boolean => !name.includes("Node") || name.includes(`Node ${SHOWN_NODE}.`);
  return againstBound(
    tables
      .filter(({ unit }) => unit !== "exponent")
      .map((table) => ({ ...table, rows: table.rows.filter(({ name }) => isShown(name)) })),
  );
}

function againstBound(tables: readonly Table[]): Bar[] {
  return tables
    .filter(({ rows }) => rows.some(({ of }) => of === "ours"))
    .flatMap((table) => {
      const rows = measured(table);
      const least = rows.find(({ of }) => of === "bound")?.min ?? Number.NaN;
      const heading = table.title.replaceAll("`", "");
      return rows.map(({ name, min, of = "peer" }): Bar => ({
        name: subject(name),
        value: min / least,
        label: `${inShort(min)} ms`,
        of,
        heading,
      }));
    });
}

function growthSeries(table: Table | undefined): GrowthSeries[] {
  return measured(table).map(({ name, min, points = [], target = Number.POSITIVE_INFINITY }) => ({
    // Removes the range of sizes after the colon, which the plot shows.
    name: name.replace(/: [\d,]+ to [\d,]+ .*$/, ""),
    points,
    exponent: min,
    most: target,
  }));
}
