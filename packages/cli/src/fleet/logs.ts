import type { ApiEvent } from "@codexwright/orchestrator/cli";
import type { Invocation } from "../shared/invoke.ts";
import type { Output } from "../shared/output.ts";
import { clean } from "../shared/text.ts";
import { connectFleet, untilInterrupted, type RunningOptions } from "./connect.ts";

export interface LogsOptions extends RunningOptions {
  readonly follow?: boolean;
  readonly last?: number;
  readonly issue?: string;
}

const MOST = 1000;

/** Shows the last events, and with `--follow` new ones. */
export async function logs({ options, output, cwd }: Invocation<LogsOptions>): Promise<void> {
  const fleet = await connectFleet(options, cwd);
  const { last = 100, issue, follow = false } = options;
  const isShown = ({ issue_id, issue_identifier }: ApiEvent): boolean =>
    issue === undefined || issue_identifier === issue || issue_id === issue;
  // Events of other issues do not count.
  const past = await fleet.lastEvents(issue === undefined ? Math.min(last, MOST) : MOST);
  for (const event of past.filter(isShown).slice(-last)) tellEvent(event, output);
  if (!follow) return;
  const { signal, release } = untilInterrupted();
  try {
    for await (const event of fleet.events(past.at(-1)?.seq ?? "0", signal)) {
      if (isShown(event)) tellEvent(event, output);
    }
  } finally {
    release();
  }
}

/** Prints an event as a line. */
export function tellEvent(event: ApiEvent, output: Output): void {
  output.json({ type: "fleetEvent", ...event });
  output.styled(eventLine(event, output));
}

function eventLine({ at, event, issue_identifier, message }: ApiEvent, { style }: Output): string {
  const one = (text: string): string => clean(text).replaceAll(/\s+/g, " ").trim();
  const paint = event === "warning" || event.endsWith("failed") ? style.yellow : style.cyan;
  const issue = issue_identifier === null ? "" : `${style.bold(one(issue_identifier))}  `;
  return `${style.dim(one(at))}  ${paint(one(event).padEnd(16))}  ${issue}${one(message)}\n`;
}
