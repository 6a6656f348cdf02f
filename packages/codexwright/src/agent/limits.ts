import { InvalidArgumentError } from "../rpc/errors.ts";
import { CLOCK, systemClock, type Clock } from "./clock.ts";
import { BudgetExceededError } from "./errors.ts";
import * as is from "../rpc/options/check.ts";
import { shape, type Table } from "../rpc/options/table.ts";

/** A point in time by which work must end. */
export class Deadline {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The duration that the deadline was created with. */
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

  /** Negative after the deadline. */
  remainingMs(): number {
    return this.at - this.#clock.now();
  }

  get expired(): boolean {
    return this.remainingMs() <= 0;
  }
}

/** The kind of tokens that a limit applies to. */
export type BudgetDimension = "inputTokens" | "outputTokens" | "totalTokens";

/** Token limits of a run. At least one limit is required. */
export type Budget = Readonly<Partial<Record<BudgetDimension, number>>>;

const BUDGET: Table<Budget> = {
  inputTokens: is.positive,
  outputTokens: is.positive,
  totalTokens: is.positive,
};

/** Number of tokens used. */
export type TokenCounts = Readonly<Record<BudgetDimension, number>>;

const DIMENSIONS: readonly BudgetDimension[] = ["inputTokens", "outputTokens", "totalTokens"];

const NOTHING: TokenCounts = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** Read access to a budget and its usage. */
export interface BudgetReader {
  readonly budget: Budget;
  readonly used: TokenCounts;
}

/** Adds up the token usage of several threads. */
export class BudgetMeter implements BudgetReader {
  readonly budget: Budget;
  readonly #byId = new Map<string, TokenCounts>();
  /** Kept as a running total: many runs can share a meter, and each run reads the total after every model call. */
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

  /**
   * Sets the total usage of one source so far, replacing its previous value. Each id must belong to only one source,
   * such as one thread in one run.
   */
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
   * Returns an error for the first exceeded limit, or undefined. Usage equal to the limit is allowed.
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
