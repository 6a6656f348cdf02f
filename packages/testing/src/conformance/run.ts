import { atLeast } from "codexwright/protocol";
import { ExpectationError } from "./expect.ts";
import type { RecordingLine } from "codexwright/recording";
import type { ModelRequest } from "../model-request.ts";
import type { ConformanceTarget, Scenario, ScenarioResult } from "./scenario.ts";
import { OpenWorld } from "./world.ts";
import * as is from "codexwright/internal/options";
import { checkOptions, type Table } from "codexwright/internal";

/** Options of {@link runScenario}. */
export interface RunScenarioOptions {
  /** A scenario fails if it takes longer than this; default 30,000. */
  readonly timeoutMs?: number;
}

const OPTIONS: Table<RunScenarioOptions> = { timeoutMs: is.milliseconds };

/** Returns why a scenario does not apply to a target, or `undefined` if it does. */
export function unsupportedReason(scenario: Scenario, target: ConformanceTarget): string | undefined {
  const { since, until, clients } = scenario.needs ?? {};
  if (since !== undefined && !atLeast(target.version, since)) return `it was added in Codex ${since}`;
  if (until !== undefined && atLeast(target.version, until))
    return `Codex ${until} no longer behaves like this`;
  if (clients === "many" && target.transport === "stdio") return "a server over stdio has only one client";
  return target.unsupported?.(scenario);
}

/**
 * Runs one scenario against a target. The scenario has its own server and clients, which are closed when the promise
 * resolves.
 *
 * The promise never rejects because of the target: failures are in the result, with the whole recording.
 */
export async function runScenario(
  scenario: Scenario,
  target: ConformanceTarget,
  options: RunScenarioOptions = {},
): Promise<ScenarioResult> {
  is.checkArgument<object>("runScenario()", "scenario", scenario, is.object);
  is.checkArgument<ConformanceTarget>("runScenario()", "target", target, is.methods("open"));
  checkOptions("runScenario()", options, OPTIONS);
  const { timeoutMs = 30_000 } = options;
  const since = performance.now();
  const run: Run = { recording: [], requests: [] };
  const reason = unsupportedReason(scenario, target);
  const told = (): Omit<ScenarioResult, "outcome"> => ({
    scenario,
    target: target.name,
    durationMs: performance.now() - since,
    ...run,
  });
  if (reason !== undefined) return { ...told(), outcome: "unsupported", reason };
  try {
    await play(scenario, target, run, timeoutMs);
    return { ...told(), outcome: "passed" };
  } catch (error) {
    return { ...told(), outcome: "failed", error };
  }
}

/** The parts of a result that exist however the run ends. */
interface Run {
  readonly recording: RecordingLine[];
  requests: readonly ModelRequest[];
  workspace?: string;
}

async function play(
  scenario: Scenario,
  target: ConformanceTarget,
  left: Run,
  timeoutMs: number,
): Promise<void> {
  const setup = scenario.begin();
  const { recording } = left;
  const world = new OpenWorld(target, setup, await target.open(setup), (line) => recording.push(line));
  left.workspace = world.workspace;
  left.requests = world.model.requests;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const last = JSON.stringify(recording.at(-1))?.slice(0, 300);
      reject(
        new ExpectationError(`expected ${scenario.id} to end within ${timeoutMs} ms; last recorded: ${last}`),
      );
    }, timeoutMs);
  });
  const running = setup.run(world);
  // After a timeout, the run rejects later, when its world is closed. That rejection is ignored.
  running.catch(() => {});
  try {
    await Promise.race([running, late]);
    // If the model got more requests than the script has answers, the scenario did not verify its statement.
    const [unexpected] = world.model.unexpected;
    if (unexpected) throw new ExpectationError(unexpected.message);
  } finally {
    clearTimeout(timer);
    await world[Symbol.asyncDispose]();
  }
}
