import type { JobStore, Scope } from "../jobs/port.ts";
import type { Clock } from "../time/index.ts";

/** The tokens of the UTC day: the number of the job store, and the tokens that were used here since it was read. */
export class DayTokens {
  readonly #store: Pick<JobStore, "spentOn">;
  readonly #scope: Scope;
  readonly #clock: Clock;
  #stored = { day: "", tokens: 0 };
  #usedSince = 0;

  constructor({
    store,
    scope,
    clock,
  }: {
    readonly store: Pick<JobStore, "spentOn">;
    readonly scope: Scope;
    readonly clock: Clock;
  }) {
    this.#store = store;
    this.#scope = scope;
    this.#clock = clock;
  }

  /** Reads the number of all runs of the scope. */
  async refresh(): Promise<void> {
    const at = this.#clock.date();
    const { totalTokens } = await this.#store.spentOn(this.#scope, at);
    const day = dayOf(at);
    // The job store does not have the tokens yet that runs have used in the last moments.
    const known = day === this.#stored.day ? this.#stored.tokens + this.#usedSince : 0;
    this.#stored = { day, tokens: Math.max(totalTokens, known) };
    this.#usedSince = 0;
  }

  /** A run of this process has used more tokens. */
  used(tokens: number): void {
    this.#usedSince += tokens;
  }

  /** null: no limit. */
  left(limit: number | null): number | null {
    if (limit === null) return null;
    const { day, tokens } = this.#stored;
    const spent = (day === dayOf(this.#clock.date()) ? tokens : 0) + this.#usedSince;
    return Math.max(limit - spent, 0);
  }
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
