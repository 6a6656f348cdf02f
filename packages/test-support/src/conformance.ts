import { describe } from "vitest";
import {
  runScenario,
  scenarios,
  unsupportedReason,
  type ConformanceTarget,
  type Scenario,
  type ScenarioResult,
} from "@codexwright/testing";
import { CODEX_VERSIONS, type CodexVersion } from "../../../scripts/codex-versions.ts";
import { verifies, type Against } from "./verifies.ts";

/**
 * Servers behave the same on every runtime, and a real one is slow. So all scenarios run on one runtime, and one
 * scenario of each area runs on the other runtimes.
 */
const RUN = process.env["CODEXWRIGHT_CONFORMANCE"];
export const SAMPLED: boolean = RUN === "sample";
/** The only Codex version to run all scenarios on; unset for a run of the suite. */
export const ONLY_VERSION: CodexVersion | undefined = CODEX_VERSIONS.find((version) => version === RUN);
export const WANTED: readonly Scenario[] = SAMPLED ? oneOfEachArea() : scenarios;

/** Returns one scenario of each area. */
function oneOfEachArea(): Scenario[] {
  const areas = new Map(scenarios.toReversed().map((scenario) => [scenario.id.split(".")[0], scenario]));
  return [...areas.values()];
}

/** How many scenarios run in parallel. A scenario spends most of its time waiting. */
const AT_ONCE = 4;

/**
 * Runs scenarios on a target. When the first result is requested, all scenarios are started, `AT_ONCE` of them in
 * parallel.
 */
export class ConformanceRuns {
  readonly target: ConformanceTarget;
  readonly scenarios: readonly Scenario[];
  readonly #timeoutMs: number;
  #results: ReadonlyMap<string, Promise<ScenarioResult>> | undefined;

  constructor(target: ConformanceTarget, wanted: readonly Scenario[] = WANTED, timeoutMs = 60_000) {
    this.target = target;
    this.#timeoutMs = timeoutMs;
    this.scenarios = wanted.filter((scenario) => unsupportedReason(scenario, target) === undefined);
  }

  async of(scenario: Scenario): Promise<ScenarioResult> {
    this.#results ??= this.#start();
    const result = this.#results.get(scenario.id);
    if (!result) throw new Error(`${scenario.id} is not run on ${this.target.name}`);
    return await result;
  }

  #start(): ReadonlyMap<string, Promise<ScenarioResult>> {
    const lanes: Promise<unknown>[] = Array.from({ length: AT_ONCE }, () => Promise.resolve());
    return new Map(
      this.scenarios.map((scenario, index) => {
        const result = (lanes[index % AT_ONCE] ?? Promise.resolve()).then(() =>
          runScenario(scenario, this.target, { timeoutMs: this.#timeoutMs }),
        );
        lanes[index % AT_ONCE] = result;
        return [scenario.id, result];
      }),
    );
  }
}

/** Returns the scenarios that are skipped on a target because of their version bounds. */
export function outOfBounds(target: ConformanceTarget): Scenario[] {
  return scenarios.flatMap((scenario) => {
    const { needs, ...rest } = scenario;
    const unbounded = { ...rest, ...(needs?.clients && { needs: { clients: needs.clients } }) };
    const excluded = unsupportedReason(scenario, target) !== undefined;
    return excluded && unsupportedReason(unbounded, target) === undefined ? [unbounded] : [];
  });
}

/** Declares a test for each scenario that the target can run. */
export function conforms(id: string, runs: ConformanceRuns, against: Against): void {
  // oxlint-disable-next-line vitest/valid-title -- it is the target's
  describe(runs.target.name, () => {
    for (const scenario of runs.scenarios) {
      verifies(
        id,
        `${scenario.id}: ${scenario.statement}`,
        async () => {
          const result = await runs.of(scenario);
          if (result.outcome === "failed") throw result.error;
        },
        // The first test starts all scenarios, and also waits for those that run in parallel.
        { against, timeoutMs: 90_000 },
      );
    }
  });
}
