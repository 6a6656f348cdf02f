import assert from "node:assert/strict";
import { CodexError } from "codexwright";
import { rejection } from "../../packages/test-support/src/events.ts";
import type { DrillReport, Form, Sight } from "./drill.ts";
import { Random } from "./random.ts";

interface Seen {
  readonly what: string;
  readonly outcome: string;
  readonly ms: number;
}

/** Properties that an error must have. */
type Expected = Readonly<Record<string, unknown>>;

/** One run of a drill: its steps and their outcomes. */
export class DrillRun {
  readonly form: Form;
  readonly random: Random;
  readonly #seen: Seen[] = [];
  readonly #facts: string[] = [];
  readonly #waiting = new Set<string>();
  #faultAt = performance.now();

  constructor(form: Form, seed: number) {
    this.form = form;
    this.random = new Random(seed);
  }

  count(counts: Readonly<Record<Form, number>>): number {
    return counts[this.form];
  }

  /** Marks the moment of the fault. Later observations are timed from here. */
  fault(): void {
    this.#faultAt = performance.now();
  }

  /** Tells a person who waits how far the drill is. */
  progress(text: string): void {
    process.stderr.write(`       ${text}\n`);
  }

  fact(text: string): void {
    this.#facts.push(text);
  }

  /**
   * The promise must reject with a `CodexError` that has these properties. Call this before the fault; it
   * subscribes immediately.
   */
  fails(what: string, promise: Promise<unknown>, expected: Expected): Promise<void> {
    const failing = this.#fails(what, promise, expected);
    // Something else may fail first, and that error must be reported. So the rejection of this promise must not be
    // unhandled.
    failing.catch(() => {});
    return failing;
  }

  async #fails(what: string, promise: Promise<unknown>, expected: Expected): Promise<void> {
    const error = await this.#outcomeOf(what, rejection(promise));
    assert.ok(
      error instanceof CodexError,
      `${what} must reject with an error of codexwright, but rejected with: ${String(error)}`,
    );
    const got = Object.fromEntries(
      Object.keys(expected).map((key) => [key, (error as unknown as Record<string, unknown>)[key]]),
    );
    assert.deepEqual(got, expected, `${what} failed otherwise: ${error.message}`);
    const { code, ...rest } = expected;
    const details = Object.entries(rest).map(([key, value]) => `${key} ${String(value)}`);
    const detail = details.length > 0 ? ` (${details.join(", ")})` : "";
    this.saw(what, `${error.name} \`${String(code)}\`${detail}`);
  }

  /** The promise must fulfil; `words` describes the value. */
  async works<T>(what: string, promise: Promise<T>, words: (value: T) => string = () => "works"): Promise<T> {
    const value = await this.#outcomeOf(what, promise);
    this.saw(what, words(value));
    return value;
  }

  /** Records the outcome of a fault. Drills that do several things in parallel pass the time themselves. */
  saw(what: string, outcome: string, ms: number = performance.now() - this.#faultAt): void {
    this.#seen.push({ what, outcome, ms });
  }

  /** Names of the promises that have not settled yet. */
  get pending(): readonly string[] {
    return [...this.#waiting];
  }

  report(left: readonly string[]): DrillReport {
    const groups = new Map<string, Seen[]>();
    for (const seen of this.#seen) {
      const key = `${seen.what}\n${seen.outcome}`;
      groups.set(key, [...(groups.get(key) ?? []), seen]);
    }
    return { sights: [...groups.values()].map(summed), facts: this.#facts, left };
  }

  async #outcomeOf<T>(what: string, promise: Promise<T>): Promise<T> {
    this.#waiting.add(what);
    try {
      return await promise;
    } finally {
      this.#waiting.delete(what);
    }
  }
}

function summed(group: readonly Seen[]): Sight {
  const times = group.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const [{ what, outcome }] = group as [Seen];
  return {
    what,
    outcome,
    times: group.length,
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    mostMs: times.at(-1) ?? 0,
  };
}
