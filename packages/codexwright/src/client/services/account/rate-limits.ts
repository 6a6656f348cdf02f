import type {
  GetAccountRateLimitsParams,
  GetAccountRateLimitsResponse,
  RateLimitSnapshot,
} from "../../../protocol/index.ts";
import { CALL_OPTIONS, type CallOptions } from "../../connection/requester.ts";
import type { ServiceHost } from "../service-host.ts";
import { mergeLimits } from "./merge-limits.ts";
import * as is from "../../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../../rpc/options/table.ts";

/** The known limits of the account: the last read, merged with every later update. */
export type RateLimitState = Readonly<GetAccountRateLimitsResponse>;

export interface RateLimitOptions extends GetAccountRateLimitsParams, CallOptions {
  /** Asks the server again. Some changes arrive only with a read, for example that a limit is no longer reached. */
  readonly refresh?: boolean | undefined;
}

const OPTIONS: Table<RateLimitOptions> = {
  ...CALL_OPTIONS,
  refresh: is.flag,
  supportsLunaReserve: is.anything,
  excludeResetCreditDetails: is.anything,
};

/** Maximum number of updates that are kept while a read is running. */
const MOST_NEWER = 256;

/** The account's rate limits: read once, then kept up to date with the server's sparse updates. */
export class RateLimits {
  readonly #host: ServiceHost;
  readonly #listeners = new Set<(state: RateLimitState) => void>();
  /** For each running read, the updates that arrived meanwhile. These updates are newer than the answer to the read. */
  readonly #reads = new Set<RateLimitSnapshot[]>();
  #current: RateLimitState | undefined;
  #wasRead = false;
  #listens = false;
  /** Counts account changes, so that an answer about the previous account is not used for the current one. */
  #account = 0;

  constructor(host: ServiceHost) {
    this.#host = host;
  }

  /**
   * The known limits, without asking the server. Undefined before the first read or update, and after a login or
   * logout.
   */
  get current(): RateLimitState | undefined {
    return this.#current;
  }

  /**
   * Returns the limits. Asks the server on the first call, and if `refresh` is set. Otherwise returns the known
   * limits, which include all updates.
   */
  async read(options: RateLimitOptions = {}): Promise<RateLimitState> {
    checkOptions("rateLimits.read()", options, OPTIONS);
    const { refresh = false, signal, timeoutMs, ...params } = options;
    if (this.#current && this.#wasRead && !refresh) return this.#current;
    this.#listen();
    const account = this.#account;
    const newer: RateLimitSnapshot[] = [];
    this.#reads.add(newer);
    try {
      const asked = Object.keys(params).length > 0 ? params : undefined;
      let state = await this.#host.request("account/rateLimits/read", asked, { signal, timeoutMs });
      for (const update of newer) state = mergeLimits(state, update);
      if (account === this.#account) this.#set(state, true);
      return state;
    } finally {
      this.#reads.delete(newer);
    }
  }

  /** Calls back with the merged limits whenever they change. Returns an unsubscribe function. */
  subscribe(listener: (state: RateLimitState) => void): () => void {
    this.#listen();
    const own = (state: RateLimitState): void => listener(state);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Subscribes on the first use. The subscription stays until the client is discarded. */
  #listen(): void {
    if (this.#listens) return;
    this.#listens = true;
    this.#host.onNotification("account/rateLimits/updated", ({ rateLimits }) => {
      for (const newer of this.#reads) {
        newer.push(rateLimits);
        if (newer.length > MOST_NEWER) newer.shift();
      }
      this.#set(mergeLimits(this.#current, rateLimits), this.#wasRead);
    });
    // The account has changed, or the server is logged out: the known limits no longer apply.
    this.#host.onNotification("account/updated", () => {
      this.#account++;
      this.#current = undefined;
      this.#wasRead = false;
    });
  }

  #set(state: RateLimitState, wasRead: boolean): void {
    this.#current = state;
    this.#wasRead = wasRead;
    for (const listener of this.#listeners) {
      try {
        listener(state);
      } catch (cause) {
        this.#host.warn("listener_failed", "a listener for the rate limits threw", cause);
      }
    }
  }
}
