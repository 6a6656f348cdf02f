import type { ApiState } from "@codexwright/orchestrator/cli";
import type { Output } from "../shared/output.ts";
import { boardLines } from "./board.ts";

/** Prints a state once. */
export function tellState(state: ApiState, output: Output): void {
  output.json({ type: "state", state });
  const { style, width, isTerminal } = output;
  output.styled(`${boardLines(state, { style, width, isTerminal, now: Date.now() }).join("\n")}\n`);
}
