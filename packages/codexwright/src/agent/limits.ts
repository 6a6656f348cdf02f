import { InvalidArgumentError } from "../rpc/errors.ts";
import { systemClock, type Clock } from "./clock.ts";
import { BudgetExceededError } from "./errors.ts";

/** A moment that work must not outlast. */
export class Deadline {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly #clock: Clock;

  /** @param ms from now */
  constructor(ms: number, clock: Clock = systemClock) {
    if (!Number.isFinite(ms)) throw new InvalidArgumentError(`deadlineMs is ${ms}: give milliseconds`);
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

/** How many tokens were used. */
export type TokenCounts = Readonly<Record<BudgetDimension, number>>;

const DIMENSIONS: readonly BudgetDimension[] = ["inputTokens", "outputTokens", "totalTokens"];

/** Reads how much of a budget is used. */
export interface BudgetReader {
  readonly budget: Budget;
  readonly used: TokenCounts;
}

/** Adds up what several threads have used. */
export class BudgetMeter implements BudgetReader {
  readonly budget: Budget;
  readonly #byId = new Map<string, TokenCounts>();

  constructor(budget: Budget) {
    const given = DIMENSIONS.filter((dimension) => budget[dimension] !== undefined);
    const bad = given.find((dimension) => !(Number(budget[dimension]) > 0));
    if (given.length === 0 || bad !== undefined) {
      throw new InvalidArgumentError(
        `budget${bad === undefined ? "" : `.${bad}`} must have limits above 0: give at least one of ${DIMENSIONS.join(", ")}`,
      );
    }
    this.budget = budget;
  }

  get used(): TokenCounts {
    const sum = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    for (const counts of this.#byId.values()) {
      for (const dimension of DIMENSIONS) sum[dimension] += counts[dimension];
    }
    return sum;
  }

  /** What a source has used so far, in place of what it had before. An id is for one source: a thread of one run. */
  record(id: string, { inputTokens, outputTokens, totalTokens }: TokenCounts): void {
    this.#byId.set(id, { inputTokens, outputTokens, totalTokens });
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
