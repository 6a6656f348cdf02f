import type { GetAccountRateLimitsResponse, RateLimitSnapshot } from "codexwright/protocol";

/** A model's server could name a new limit in each response. */
const MOST_LIMITS = 32;

/** Clients hear of limits after every response, even if there are none. */
const NONE: RateLimitSnapshot = {
  limitId: "codex",
  limitName: null,
  normalModelSlug: null,
  primary: null,
  secondary: null,
  credits: null,
  individualLimit: null,
  spendControlReached: null,
  planType: null,
  rateLimitReachedType: null,
};

/** The limits that a provider last told. */
export class RateLimits {
  readonly #byId = new Map<string, RateLimitSnapshot>();
  #last: RateLimitSnapshot | undefined;

  learn(snapshot: RateLimitSnapshot): void {
    const id = snapshot.limitId ?? "";
    this.#byId.delete(id);
    this.#byId.set(id, snapshot);
    const [oldest = id] = this.#byId.keys();
    if (this.#byId.size > MOST_LIMITS) this.#byId.delete(oldest);
    this.#last = snapshot;
  }

  get current(): RateLimitSnapshot {
    return this.#last ?? NONE;
  }

  /** Returns `undefined` if no provider has told limits. */
  answer(): GetAccountRateLimitsResponse | undefined {
    if (!this.#last) return undefined;
    return {
      ordinaryUsageAllowed: null,
      rateLimits: this.#last,
      rateLimitsByLimitId: Object.fromEntries(this.#byId),
      rateLimitResetCredits: null,
      accountId: null,
      rateLimitUpsell: null,
    };
  }
}
