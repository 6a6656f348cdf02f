import type { Issue } from "../../domain/issue.ts";
import type { Tracker } from "../../domain/tracker.ts";
import type { Breakage, SampleIssue, TrackerHarness } from "./harness.ts";
import { must } from "./must.ts";

/** Thrown by a check that needs something that the harness does not have. */
export class Skipped extends Error {}

const PATIENT: AbortSignal = new AbortController().signal;

/** A harness with its adapter, as a check uses it. */
export class Case {
  readonly harness: TrackerHarness;
  readonly tracker: Tracker;
  readonly warnings: readonly string[];
  readonly active: string;
  readonly terminal: string;

  private constructor(harness: TrackerHarness, tracker: Tracker, warnings: string[], states: States) {
    this.harness = harness;
    this.tracker = tracker;
    this.warnings = warnings;
    this.active = states.active[0] ?? "";
    this.terminal = states.terminal[0] ?? "";
  }

  static async open(harness: TrackerHarness): Promise<Case> {
    const warnings: string[] = [];
    const open = (states: States): Promise<Tracker> =>
      harness.open({
        activeStates: states.active,
        terminalStates: states.terminal,
        warn: (message) => warnings.push(message),
      });
    const first = await open(harness.states ?? { active: ["todo"], terminal: ["done"] });
    const { activeStates, terminalStates } = first.profile;
    const states = harness.states ?? { active: activeStates ?? [], terminal: terminalStates ?? [] };
    must(
      states.active.length > 0 && states.terminal.length > 0,
      "the harness must have states, because the profile has no defaults",
    );
    if (harness.states) return new Case(harness, first, warnings, states);
    await first.close();
    return new Case(harness, await open(states), warnings, states);
  }

  /** Creates an active issue. */
  async create(issue: Partial<SampleIssue> = {}): Promise<string> {
    return await this.harness.create({ title: "A title", state: this.active, ...issue });
  }

  byStates(
    states: readonly string[] = [this.active],
    signal: AbortSignal = PATIENT,
  ): Promise<readonly Issue[]> {
    return this.tracker.byStates(states, signal);
  }

  byIds(ids: readonly string[], signal: AbortSignal = PATIENT): Promise<ReadonlyMap<string, Issue>> {
    return this.tracker.byIds(new Set(ids), signal);
  }

  async one(id: string): Promise<Issue> {
    const issue = (await this.byIds([id])).get(id);
    must(issue !== undefined, `byIds does not return the issue with the id ${id}`);
    return issue;
  }

  async break(how: Breakage): Promise<void> {
    if (!(await this.harness.break?.(how))) throw new Skipped(`the provider cannot be ${how}`);
  }

  async spoil(id: string): Promise<void> {
    if (!this.harness.spoil) throw new Skipped("the provider has no malformed records");
    await this.harness.spoil(id);
  }
}

interface States {
  readonly active: readonly string[];
  readonly terminal: readonly string[];
}
