import type { ApiBlocked, ApiState } from "@codexwright/orchestrator/cli";
import { fieldsOf } from "../shared/fields.ts";
import { plain, type Style } from "../shared/style.ts";
import { table, truncate } from "../shared/table.ts";
import { clean } from "../shared/text.ts";
import { number } from "../show/item-text.ts";
import { bar, elapsed } from "../show/status.ts";

/** The way in which a state is shown. */
export interface BoardLook {
  readonly style: Style;
  readonly width: number;
  /** Whether lines are cut to the width. */
  readonly isTerminal: boolean;
  /** Milliseconds since 1970, for ages and countdowns. */
  readonly now: number;
}

/** Below this width, tables have only the columns that matter most. */
const NARROW = 90;

/** Shows a state: what runs, waits and needs a person, limits, and the budget of the day. */
export function boardLines(state: ApiState, look: BoardLook): string[] {
  const { style, width, isTerminal } = look;
  const cut = (line: string): string => (isTerminal ? truncate(line, width) : line);
  const lines = [
    ...summaryOf(state, look).map((line) => cut(line)),
    ...warningsOf(state).map((line) => style.yellow(cut(line))),
    ...limitsOf(state.rate_limits, look.now).map((line) => cut(line)),
    ...section("RUNNING", runningTable(state, look), look),
    ...section("QUEUED", queuedTable(state, look), look),
    ...section("RETRYING", retryingTable(state, look), look),
    ...section("BLOCKED", blockedTable(state, look), look),
  ];
  const idle =
    state.running.length + state.queued.length + state.retrying.length + state.blocked.length === 0;
  return idle ? [...lines, "", style.dim("No issue is claimed.")] : lines;
}

function summaryOf({ counts, today, codex_totals, ...state }: ApiState, { now }: BoardLook): string[] {
  const { limit, total_tokens } = today;
  const budget = limit === null || limit === 0 ? "" : ` of ${number(limit)} ${bar(total_tokens / limit)}`;
  const polled =
    state.tick.polled_at === null ? "not yet polled" : `polled ${age(state.tick.polled_at, now)} ago`;
  return [
    `${counts.running} of ${state.max_concurrent_agents} running, ${counts.queued} queued, ` +
      `${counts.retrying} retrying, ${counts.blocked} blocked, ${polled}`,
    `today ${number(total_tokens)}${budget} tokens, in total ${number(codex_totals.total_tokens)} tokens ` +
      `in ${elapsed(codex_totals.seconds_running * 1000)}`,
  ];
}

/** The conditions under which the fleet starts nothing, or works with an old file. */
function warningsOf({ paused, draining, waiting, workflow, tick }: ApiState): string[] {
  return [
    ...(paused ? [`paused by ${paused.by}${paused.reason === null ? "" : `: ${paused.reason}`}`] : []),
    ...(draining ? ["draining: no more runs are started"] : []),
    ...(waiting ? [`waiting until ${waiting.until}: ${waiting.why}`] : []),
    ...(workflow.error === null ? [] : [`WORKFLOW.md: ${workflow.error} (the last good version is used)`]),
    ...(tick.error === null ? [] : [`no new runs: ${tick.error}`]),
  ].map(oneLine);
}

/** The limits of the account, in the form of the app-server. */
function limitsOf(limits: unknown, now: number): string[] {
  const { primary, secondary } = fieldsOf(limits);
  return [primary, secondary].flatMap((window, at) => {
    const { usedPercent, resetsAt } = fieldsOf(window);
    if (typeof usedPercent !== "number") return [];
    const reset = typeof resetsAt === "number" ? `, resets in ${until(resetsAt * 1000, now)}` : "";
    return [`${at === 0 ? "limit" : "second limit"} ${bar(usedPercent / 100)}${reset}`];
  });
}

function section(name: string, text: string, { style, width, isTerminal }: BoardLook): string[] {
  const lines = text === "" ? [] : text.trimEnd().split("\n");
  if (lines.length === 0) return [];
  const cut = lines.map((line) => (isTerminal ? truncate(line, width) : line));
  return ["", style.bold(name), ...cut.map((line, at) => (at === 0 ? style.dim(line) : line))];
}

/** A column: its heading, and whether narrow terminals show it. */
type Columns<Row> = readonly (readonly [heading: string, cell: (row: Row) => string, isOptional?: true])[];

function tableOf<Row>(rows: readonly Row[], columns: Columns<Row>, { width, isTerminal }: BoardLook): string {
  if (rows.length === 0) return "";
  const shown = columns.filter(([, , isOptional]) => !isOptional || !isTerminal || width >= NARROW);
  const headings = shown.map(([heading]) => heading);
  const cells = rows.map((row) => shown.map(([, cell]) => cell(row)));
  return table(headings, cells, { style: plain(), width, isTerminal });
}

function runningTable({ running }: ApiState, look: BoardLook): string {
  return tableOf(
    running,
    [
      ["ISSUE", (row) => row.issue_identifier],
      ["AGE", (row) => age(row.started_at, look.now)],
      ["TURN", (row) => String(row.turn_count)],
      ["TOKENS", (row) => number(row.tokens.total_tokens)],
      ["HOST", (row) => row.host, true],
      ["TITLE", (row) => row.title, true],
      ["LAST EVENT", (row) => [row.last_event ?? row.phase, row.last_message].filter(Boolean).join(": ")],
    ],
    look,
  );
}

function queuedTable({ queued }: ApiState, look: BoardLook): string {
  return tableOf(
    queued,
    [
      ["ISSUE", (row) => row.issue_identifier],
      ["AGE", (row) => age(row.since, look.now)],
      ["TITLE", (row) => row.title],
    ],
    look,
  );
}

function retryingTable({ retrying }: ApiState, look: BoardLook): string {
  return tableOf(
    retrying,
    [
      ["ISSUE", (row) => row.issue_identifier],
      ["IN", (row) => until(Date.parse(row.due_at), look.now)],
      ["ATTEMPT", (row) => String(row.attempt ?? "")],
      ["WHY", (row) => row.retry_kind ?? ""],
      ["TITLE", (row) => row.title, true],
      ["ERROR", (row) => row.error ?? ""],
    ],
    look,
  );
}

function blockedTable({ blocked }: ApiState, look: BoardLook): string {
  return tableOf(
    blocked,
    [
      ["ISSUE", (row) => row.issue_identifier],
      ["AGE", (row) => age(row.since, look.now)],
      ["REASON", (row) => row.reason, true],
      ["TITLE", (row) => row.title, true],
      ["WAITS FOR", waitsFor],
    ],
    look,
  );
}

function waitsFor({ question, message }: ApiBlocked): string {
  return question === null ? message : `an answer: ${message}`;
}

function age(since: string, now: number): string {
  return elapsed(Math.max(0, now - Date.parse(since)) || 0);
}

function until(at: number, now: number): string {
  return at > now ? elapsed(at - now + 999) : "now";
}

function oneLine(text: string): string {
  return clean(text).replaceAll(/\s+/g, " ").trim();
}
