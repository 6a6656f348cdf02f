import type { FleetCheck } from "@codexwright/orchestrator/cli";
import { EXIT } from "../shared/command-error.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { Output } from "../shared/output.ts";
import { clean } from "../shared/text.ts";
import type { RunningOptions } from "./connect.ts";
import { loadFleet } from "./load.ts";

/** Checks everything that a fleet needs, and says how to fix what is wrong. */
export async function doctor({ options, args, output, cwd }: Invocation<RunningOptions>): Promise<number> {
  const { checkFleet, placeOf } = await loadFleet();
  const place = placeOf({ workflow: args[0], data: options.data, cwd, env: process.env });
  const failed: string[] = [];
  for await (const check of checkFleet(place, process.env)) {
    if (check.status === "fail") failed.push(check.name);
    tell(check, output);
  }
  const exitCode = failed.length === 0 ? EXIT.done : EXIT.failed;
  output.json({ type: "doctor", ok: exitCode === EXIT.done, failed, exitCode });
  output.text(failed.length === 0 ? "Everything is fine.\n" : `Problems with: ${failed.join(", ")}.\n`);
  return exitCode;
}

const MARKS = { ok: "ok", warn: "warn", fail: "FAIL", skipped: "-" } as const;

function tell(check: FleetCheck, output: Output): void {
  const { name, status, message, advice } = check;
  output.json({ type: "check", ...check });
  if (output.isQuiet && status !== "fail") return;
  const { style } = output;
  const paint = { ok: style.green, warn: style.yellow, fail: style.red, skipped: style.dim }[status];
  output.styled(`${paint(MARKS[status].padEnd(4))}  ${style.bold(name.padEnd(10))}  ${clean(message)}\n`);
  for (const line of advice) output.text(`${" ".repeat(18)}${line}\n`);
}
