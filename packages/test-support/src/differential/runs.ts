import { runScenario, type Scenario, type ScenarioResult } from "@codexwright/testing";
import { compareTranscripts, type Transcript, type TranscriptDifference } from "codexwright/recording";
import type { ConformanceRuns } from "../conformance.ts";
import { listedFor, type ListedDifference } from "./listed.ts";

/** A difference counts only if it appears in this many runs of the real server. */
const TRIES = 3;

/** How a run is compared. */
export type View = (result: ScenarioResult) => Transcript;

/** Compares another server with the real one, scenario by scenario. */
export class Differential {
  readonly real: ConformanceRuns;
  readonly other: ConformanceRuns;
  readonly #view: View;
  readonly #listed: readonly ListedDifference[];
  /** A comparison takes long, and each listed difference needs many. */
  readonly #all = new Map<Scenario, Promise<readonly TranscriptDifference[]>>();

  constructor(
    real: ConformanceRuns,
    other: ConformanceRuns,
    listed: readonly ListedDifference[],
    view: View,
  ) {
    this.real = real;
    this.other = other;
    this.#listed = listed;
    this.#view = view;
  }

  /**
   * Returns how the other server differs from all runs of the real one, listed differences included. Runs of the real
   * server also differ among themselves, so something counts as a difference only if it differs from every run.
   */
  all(scenario: Scenario): Promise<readonly TranscriptDifference[]> {
    const known = this.#all.get(scenario);
    if (known) return known;
    const found = Promise.all([this.real.of(scenario), this.other.of(scenario)]).then(([real, other]) =>
      this.#compare(real, other),
    );
    this.#all.set(scenario, found);
    return found;
  }

  /** Returns the differences that the list does not have. */
  async unlisted(scenario: Scenario): Promise<readonly TranscriptDifference[]> {
    const other = await this.other.of(scenario);
    let differences = this.#unlisted(scenario, await this.all(scenario));
    for (let tries = 1; tries < TRIES && differences.length > 0; tries++) {
      const again = this.#compare(await runScenario(scenario, this.real.target), other).map(
        ({ text }) => text,
      );
      differences = differences.filter(({ text }) => again.includes(text));
    }
    return differences;
  }

  /** Returns the reasons of listed differences that no longer appear. */
  async stale(): Promise<string[]> {
    const gone: string[] = [];
    for (const listed of this.#listed.filter(({ races }) => !races)) {
      for (const id of listed.scenarios ?? [undefined]) {
        const among = this.other.scenarios.filter((scenario) => id === undefined || scenario.id === id);
        const found = await Promise.all(
          among.map(async (scenario) =>
            (await this.all(scenario)).some((difference) => listedFor(listed, scenario, difference)),
          ),
        );
        if (!found.includes(true)) gone.push(`${listed.reason} (${id ?? "everywhere"})`);
      }
    }
    return gone;
  }

  /** Returns how many messages of the real server were compared. */
  async compared(): Promise<number> {
    const counts = await Promise.all(
      this.other.scenarios.map(async (scenario) => this.#view(await this.real.of(scenario)).length),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  #compare(real: ScenarioResult, other: ScenarioResult): readonly TranscriptDifference[] {
    return compareTranscripts(this.#view(real), this.#view(other));
  }

  #unlisted(
    scenario: Scenario,
    differences: readonly TranscriptDifference[],
  ): readonly TranscriptDifference[] {
    return differences.filter(
      (difference) => !this.#listed.some((listed) => listedFor(listed, scenario, difference)),
    );
  }
}
