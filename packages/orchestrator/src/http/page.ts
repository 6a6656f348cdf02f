import { createHash } from "node:crypto";
import type { FleetEvent } from "../domain/events.ts";
import type { ApiState } from "../observe/api-state.ts";
import { escapeHtml, link, table } from "./html.ts";

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#1a1a1a;background:#fff}
table{border-collapse:collapse;width:100%;margin-bottom:1.5rem}
th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #ddd;overflow-wrap:anywhere}
th{font-weight:600}.warning{color:#a40000}.quiet{color:#666}h2{font-size:1.1rem;margin:1.5rem 0 .25rem}
@media (prefers-color-scheme:dark){body{color:#ddd;background:#161616}th,td{border-color:#333}.warning{color:#ff8a80}a{color:#8ab4f8}.quiet{color:#999}}`;

/** Nothing is loaded, no script runs, and the page cannot be framed, whatever the texts of issues contain. */
export const PAGE_POLICY: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** How many seconds a browser shows the page before it loads it again. */
const RELOAD_SECONDS = 5;

/** A page that shows the state. It only reads, and needs no script. */
export function page(state: ApiState, events: readonly FleetEvent[]): string {
  const { counts, codex_totals: totals, today } = state;
  const budget = today.limit === null ? "no limit" : `of ${today.limit.toLocaleString("en")}`;
  const facts = [
    `${counts.running} running, ${counts.queued} queued, ${counts.retrying} retrying, ${counts.blocked} blocked`,
    `today ${today.total_tokens.toLocaleString("en")} tokens (${budget})`,
    `in total ${totals.total_tokens.toLocaleString("en")} tokens in ${Math.round(totals.seconds_running)} s`,
  ];
  return layout(
    [
      `<h1>Fleet</h1><p class="quiet">${escapeHtml(state.workflow.path)}</p>`,
      `<p>${facts.map(escapeHtml).join("<br>")}</p>`,
      ...warningsOf(state).map((text) => `<p class="warning">${escapeHtml(text)}</p>`),
      table(
        "Running",
        ["Issue", "Title", "State", "Turn", "Last event", "Since", "Tokens", "Host"],
        state.running.map((row) => [
          link(row.issue_identifier, row.issue_url),
          escapeHtml(row.title),
          escapeHtml(row.state),
          String(row.turn_count),
          escapeHtml([row.last_event, row.last_message].filter(Boolean).join(": ")),
          escapeHtml(row.started_at),
          row.tokens.total_tokens.toLocaleString("en"),
          escapeHtml(row.host),
        ]),
      ),
      table(
        "Blocked",
        ["Issue", "Title", "Reason", "Since"],
        state.blocked.map((row) => [
          link(row.issue_identifier, row.issue_url),
          escapeHtml(row.title),
          escapeHtml(`${row.reason}: ${row.message}`),
          escapeHtml(row.since),
        ]),
      ),
      table(
        "Retrying",
        ["Issue", "Title", "Attempt", "Due", "Error"],
        state.retrying.map((row) => [
          link(row.issue_identifier, row.issue_url),
          escapeHtml(row.title),
          String(row.attempt ?? ""),
          escapeHtml(row.due_at),
          escapeHtml(row.error ?? ""),
        ]),
      ),
      table(
        "Hosts",
        ["Host", "Running", "Slots", "Seen"],
        state.hosts.map((host) => [
          escapeHtml(host.draining ? `${host.name} (draining)` : host.name),
          String(host.running),
          String(host.slots),
          escapeHtml(host.seen_at),
        ]),
      ),
      table(
        "Last events",
        ["Time", "Event", "Issue", "Message"],
        events.map((event) => [event.at, event.event, event.identifier ?? "", event.message].map(escapeHtml)),
      ),
    ].join("\n"),
  );
}

/** The page if the state cannot be read. */
export function errorPage(message: string): string {
  return layout(`<h1>Fleet</h1><p class="warning">${escapeHtml(message)}</p>`);
}

/** The conditions that an operator should know. */
function warningsOf({ paused, draining, waiting, workflow, tick }: ApiState): string[] {
  return [
    ...(paused ? [`paused by ${paused.by}${paused.reason === null ? "" : `: ${paused.reason}`}`] : []),
    ...(draining ? ["draining: no more runs are started"] : []),
    ...(waiting ? [`waiting until ${waiting.until}: ${waiting.why}`] : []),
    ...(workflow.error === null ? [] : [`WORKFLOW.md: ${workflow.error}; the last good version is used`]),
    ...(tick.error === null ? [] : [`no new runs: ${tick.error}`]),
  ];
}

function layout(body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Fleet</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="${RELOAD_SECONDS}">
<style>${STYLE}</style></head>
<body>
${body}
</body></html>
`;
}
