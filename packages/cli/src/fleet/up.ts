import path from "node:path";
import type { Fleet } from "@codexwright/orchestrator";
import type { FleetPlace } from "@codexwright/orchestrator/cli";
import { EXIT } from "../shared/command-error.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { SharedOptions } from "../shared/options.ts";
import { aside, type Output } from "../shared/output.ts";
import { clean } from "../shared/text.ts";
import { userName } from "./connect.ts";
import { Interrupts } from "./interrupts.ts";
import { loadFleet, loadFleetProgram } from "./load.ts";
import { tellEvent } from "./logs.ts";
import { tellEnd, tellPhase } from "./tell-life.ts";
import { isRepaintable, watchOnScreen } from "./watch.ts";

export interface UpOptions extends SharedOptions {
  readonly once?: boolean;
  readonly port?: number;
  readonly data?: string;
  readonly otlp?: boolean;
}

/** Runs a fleet until a signal, `fleet drain`, or, with `--once`, until there is nothing left to do. */
export async function up({ options, args, output, cwd }: Invocation<UpOptions>): Promise<number> {
  const { placeOf, startOtlp } = await loadFleet();
  const { Fleet: Program } = await loadFleetProgram();
  const place = placeOf({ workflow: args[0], data: options.data, cwd, env: process.env });
  using interrupts = new Interrupts();
  const folders = [path.dirname(place.workflowPath), cwd];
  const endTelemetry = options.otlp === true ? await startOtlp(folders) : undefined;
  try {
    await using fleet = await Program.open({
      workflow: place.workflowPath,
      data: place.stateFolder,
      port: options.port,
      serve: true,
      once: options.once,
      // On a terminal, lines would break the screen. They can go to a file: 2> fleet.log
      log: isRepaintable(output) && process.stderr.isTTY ? [] : [(line) => aside(`${clean(line)}\n`)],
      logFormat: output.isJson ? "json" : "text",
      signal: interrupts.stop,
    });
    interrupts.drainFirst(() => void fleet.drain({ by: userName() }).catch(() => {}));
    tellPhase("started", fleet, place, output);
    await show(fleet, place, { output, interrupts });
    // Rejects if the end has failed.
    await fleet.close();
    tellPhase("stopped", fleet, place, output);
    tellEnd(await fleet.state(), output);
  } finally {
    await endTelemetry?.();
  }
  return interrupts.stop.aborted ? EXIT.interrupted : EXIT.done;
}

interface Shown {
  readonly output: Output;
  readonly interrupts: Interrupts;
}

/** Shows the fleet until it has ended. */
async function show(fleet: Fleet, place: FleetPlace, { output, interrupts }: Shown): Promise<void> {
  if (output.isJson) return await showLines(fleet, place, output);
  if (isRepaintable(output)) return await showScreen(fleet, place, { output, interrupts });
  output.text(`The fleet of ${place.workflowPath} runs: ${fleet.url}\n`);
  output.remark("Ctrl-C lets the turns end, and ends the fleet. A second Ctrl-C interrupts them.");
  await fleet.done;
}

async function showLines(fleet: Fleet, place: FleetPlace, output: Output): Promise<void> {
  const { apiEvent } = await loadFleet();
  for await (const event of fleet.events()) {
    if (event.event === "order.given" && event.data["kind"] === "drain")
      tellPhase("draining", fleet, place, output);
    tellEvent(apiEvent(event), output);
  }
  await fleet.done;
}

async function showScreen(fleet: Fleet, place: FleetPlace, { output, interrupts }: Shown): Promise<void> {
  const { FleetClient } = await loadFleet();
  const client = await FleetClient.connect(place, userName());
  const ended = new AbortController();
  void fleet.done.then(() => ended.abort());
  const footer = (): string =>
    interrupts.isDraining
      ? "Waiting for the turns to end. Ctrl-C interrupts them."
      : `${fleet.url}   Ctrl-C lets the turns end, and ends the fleet.`;
  await watchOnScreen(client, output, { signal: ended.signal, footer });
  await fleet.done;
}
