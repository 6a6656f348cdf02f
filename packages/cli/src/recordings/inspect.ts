import path from "node:path";
import type { RecordedEntry, RecordingHeader, RecordingLine } from "codexwright/recording";
import { EXIT } from "../shared/command-error.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { SharedOptions } from "../shared/options.ts";
import type { Output } from "../shared/output.ts";
import { truncate } from "../shared/table.ts";
import { clean } from "../shared/text.ts";
import { follow } from "./follow.ts";
import { isWanted, type RowFilter } from "./filter.ts";
import { loadRecording, requireFile } from "./load.ts";
import { Timeline, type Row } from "./timeline.ts";

export interface InspectOptions extends SharedOptions, RowFilter {
  readonly follow?: boolean;
}

export async function inspect(invocation: Invocation<InspectOptions>): Promise<number> {
  const { options, args, output, cwd } = invocation;
  const [name = ""] = args;
  const file = path.resolve(cwd, name);
  const timeline = new Timeline();
  const counts = new Counts();
  const show = (rows: readonly Row[]): void => {
    for (const row of rows) {
      if (!isWanted(row, options)) continue;
      counts.add(row);
      output.json({ type: "row", ...row });
      output.styled(`${render(row, output)}\n`);
    }
  };
  if (options.follow) {
    requireFile(file);
    const stop = new AbortController();
    const onSignal = (): void => stop.abort();
    process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
    for await (const line of follow(file, stop.signal)) if (isEntry(line)) show(timeline.push(line));
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    show(timeline.end());
    // Following never ends by itself, so this line is reached only after a signal.
    return EXIT.interrupted;
  }
  const [header, ...entries] = await loadRecording(file);
  const rows = entries.filter(isEntry).flatMap((entry) => timeline.push(entry));
  show([...rows, ...timeline.end()].toSorted((a, b) => a.ms - b.ms));
  const summary = counts.summary(entries.filter(isEntry));
  const { startedAt, codexwright } = header as RecordingHeader;
  output.json({ type: "recording", startedAt, codexwright, ...summary });
  output.styled(`${totals(summary, output)}\n`);
  return EXIT.done;
}

interface Summary {
  readonly connections: number;
  /** Connections without an end: the recording was cut off, or is still being written. */
  readonly open: number;
  readonly durationMs: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly failed: number;
}

class Counts {
  readonly #rows: Record<string, number> = {};
  #failed = 0;

  add({ kind, failed }: Row): void {
    this.#rows[kind] = (this.#rows[kind] ?? 0) + 1;
    if (failed) this.#failed++;
  }

  summary(entries: readonly RecordedEntry[]): Summary {
    const connections = new Set(entries.map(({ connection }) => connection)).size;
    const open = connections - entries.filter((entry) => "closed" in entry).length;
    return { connections, open, durationMs: entries.at(-1)?.ms ?? 0, rows: this.#rows, failed: this.#failed };
  }
}

function isEntry(line: RecordingLine): line is RecordedEntry {
  return "connection" in line;
}

/** Formats a row, for example `   0.123s   45ms  request   turn/start  say hello`. */
function render(row: Row, { style, width, isTerminal }: Output): string {
  const at = `${(row.ms / 1000).toFixed(3)}s`.padStart(9);
  const took = (row.durationMs === undefined ? "" : duration(row.durationMs)).padStart(7);
  const kind = row.kind.padEnd(8);
  // For items and turns, the method repeats the kind.
  const method = row.method === "" || row.kind === "turn" || row.kind === "item" ? "" : `${row.method}  `;
  const head = `${at} ${took}  ${kind}  `;
  const whole = clean(`${method}${row.summary}`).trimEnd();
  // Piped output may be searched, so it is not shortened.
  const body = isTerminal ? truncate(whole, Math.max(20, width - head.length)) : whole;
  return `${style.dim(`${at} ${took}`)}  ${style.bold(kind)}  ${row.failed ? style.red(body) : body}`;
}

function duration(ms: number): string {
  return ms < 10_000 ? `${ms}ms` : `${(ms / 1000).toFixed(1)}s`;
}

function totals({ connections, open, durationMs, rows, failed }: Summary, { style }: Output): string {
  const kinds = Object.entries(rows).map(([kind, count]) => `${count} ${kind}${count === 1 ? "" : "s"}`);
  const wrong = failed === 0 ? "none failed" : style.red(`${failed} failed`);
  const over = `${connections} connection${connections === 1 ? "" : "s"} in ${duration(durationMs)}`;
  const cut = open === 0 ? [] : [style.red(`${open} without an end: cut off, or still being recorded`)];
  return [...kinds, wrong, over, ...cut].join(", ");
}
