import type { Fleet, Snapshot } from "@codexwright/orchestrator";
import type { FleetPlace } from "@codexwright/orchestrator/cli";
import type { Output } from "../shared/output.ts";
import { clean } from "../shared/text.ts";
import { number } from "../show/item-text.ts";
import { elapsed } from "../show/status.ts";

type Phase = "started" | "draining" | "stopped";

/** Prints where a fleet in this process is in its life, as a line for programs. */
export function tellPhase(phase: Phase, { url }: Fleet, place: FleetPlace, output: Output): void {
  const { workflowPath: workflow, stateFolder } = place;
  output.json({
    type: "fleet",
    phase,
    workflow,
    stateFolder,
    url: phase === "stopped" ? null : url,
    pid: process.pid,
  });
}

/** Prints the totals of a fleet that has ended, and what waits for a person. */
export function tellEnd({ claims, totals }: Snapshot, output: Output): void {
  const { totalTokens, seconds } = totals;
  output.text(`The fleet has ended. In total ${number(totalTokens)} tokens in ${elapsed(seconds * 1000)}.\n`);
  for (const claim of claims) {
    const name = clean(claim.issue.identifier);
    if (claim.state === "blocked") output.text(`${name} is blocked: see \`codexwright fleet explain\`.\n`);
    else output.text(`${name} goes on at the next start.\n`);
  }
}
