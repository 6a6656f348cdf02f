import type { ApiState, FleetClient } from "@codexwright/orchestrator/cli";
import { explain } from "../shared/explain.ts";
import type { Output } from "../shared/output.ts";
import { boardLines } from "./board.ts";
import { tellEvent } from "./logs.ts";
import { tellState } from "./tell-state.ts";

const READ_MS = 1_000;

/** Whether a terminal can be repainted. */
export function isRepaintable(output: Output): boolean {
  return output.isTerminal && !output.isJson && !output.isQuiet && process.env["TERM"] !== "dumb";
}

/**
 * Shows a fleet until the signal aborts or the fleet ends: as a screen on a terminal, otherwise as its state followed by
 * lines about events. With `--json`, each change of the state is a line.
 */
export async function watch(fleet: FleetClient, output: Output, signal: AbortSignal): Promise<void> {
  if (isRepaintable(output)) return await watchOnScreen(fleet, output, { signal });
  tellState(await fleet.state(signal), output);
  for await (const event of fleet.events(undefined, signal)) {
    if (output.isJson) tellState(await fleet.state(signal), output);
    else tellEvent(event, output);
  }
}

/** Shows a fleet as a screen, with a line below it. */
export async function watchOnScreen(
  fleet: FleetClient,
  output: Output,
  { signal, footer = () => "" }: { readonly signal: AbortSignal; readonly footer?: () => string },
): Promise<void> {
  const { BoardScreen } = await import("./board-screen.ts");
  let state: ApiState = await fleet.state(signal);
  let problem: string | undefined;
  const screen = new BoardScreen(() => {
    const look = { style: output.style, width: output.width - 1, isTerminal: true, now: Date.now() };
    const lines = ["", ...boardLines(state, look)];
    const below = problem === undefined ? output.style.dim(footer()) : output.style.red(problem);
    return problem === undefined && footer() === "" ? lines : [...lines, "", below];
  });
  try {
    while (!signal.aborted) {
      await pauseFor(READ_MS, signal);
      if (signal.aborted) return;
      try {
        state = await fleet.state(signal);
        problem = undefined;
      } catch (error) {
        if (signal.aborted) return;
        const { code, message } = explain(error);
        problem = `${code}: ${message}`;
        // The state as it was last seen stays on the terminal.
        if (code === "fleet_not_running") return;
      }
      screen.draw();
    }
  } finally {
    screen.close();
  }
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
