import { InvalidArgumentError } from "../rpc/errors.ts";
import { CLOCK, systemClock, type Clock } from "./clock.ts";
import { BudgetExceededError } from "./errors.ts";
import * as is from "../rpc/options/check.ts";
import { shape, type Table } from "../rpc/options/table.ts";

/** A moment that work must not outlast. */
export class Deadline {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** How long it was when it was set. */
  readonly ms: number;
  readonly #clock: Clock;

  /** @param ms from now */
  constructor(ms: number, clock: Clock = systemClock) {
    is.checkArgument("new Deadline()", "deadlineMs", ms, is.finite);
    is.checkArgument("new Deadline()", "clock", clock, CLOCK);
    this.ms = ms;
    this.at = clock.now() + ms;
    this.#clock = clock;
  }

  /** Negative once it has passed. */
  remainingMs(): number {
    return this.at - this.#clock.now();
  }

  get expired(): boolean {
    return this.remainingMs() <= 0;
  }
}

/** What is limited. */
export type BudgetDimension = "inputTokens" | "outputTokens" | "totalTokens";

/** How many tokens may be used; at least one limit. */
export type Budget = Readonly<Partial<Record<BudgetDimension, number>>>;

const BUDGET: Table<Budget> = {
  inputTokens: is.positive,
  outputTokens: is.positive,
  totalTokens: is.positive,
};

/** How many tokens were used. */
export type TokenCounts = Readonly<Record<BudgetDimension, number>>;

const DIMENSIONS: readonly BudgetDimension[] = ["inputTokens", "outputTokens", "totalTokens"];

const NOTHING: TokenCounts = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** Reads how much of a budget is used. */
export interface BudgetReader {
  readonly budget: Budget;
  readonly used: TokenCounts;
}

/** Adds up what several threads have used. */
export class BudgetMeter implements BudgetReader {
  readonly budget: Budget;
  readonly #byId = new Map<string, TokenCounts>();
  /** Added up as it comes: a meter may be shared by very many runs, and is asked after each of their model calls. */
  #used: TokenCounts = NOTHING;

  constructor(budget: Budget) {
    is.checkArgument("new BudgetMeter()", "budget", budget, shape(BUDGET));
    if (DIMENSIONS.every((dimension) => budget[dimension] === undefined)) {
      throw new InvalidArgumentError(`budget must have at least one of ${DIMENSIONS.join(", ")}`);
    }
    this.budget = budget;
  }

  get used(): TokenCounts {
    return this.#used;
  }

  /** What a source has used so far, in place of what it had before. An id is for one source: a thread of one run. */
  record(id: string, { inputTokens, outputTokens, totalTokens }: TokenCounts): void {
    const before = this.#byId.get(id) ?? NOTHING;
    this.#byId.set(id, { inputTokens, outputTokens, totalTokens });
    const used = this.#used;
    this.#used = Object.freeze({
      inputTokens: used.inputTokens - before.inputTokens + inputTokens,
      outputTokens: used.outputTokens - before.outputTokens + outputTokens,
      totalTokens: used.totalTokens - before.totalTokens + totalTokens,
    });
  }

  /**
   * What is exceeded, if anything. Using exactly the budget is within it.
   *
   * @param promptId for the error
   */
  exceeded(promptId?: string): BudgetExceededError | undefined {
    const { used, budget } = this;
    for (const dimension of DIMENSIONS) {
      const limit = budget[dimension];
      if (limit !== undefined && used[dimension] > limit)
        return new BudgetExceededError(dimension, limit, used, { promptId });
    }
    return undefined;
  }
}
