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

/** What is known of the account's limits: the last read, with every update since merged into it. */
export type RateLimitState = Readonly<GetAccountRateLimitsResponse>;

export interface RateLimitOptions extends GetAccountRateLimitsParams, CallOptions {
  /** Asks the server again. Only that takes back what no update can, a limit that was reached for instance. */
  readonly refresh?: boolean | undefined;
}

const OPTIONS: Table<RateLimitOptions> = {
  ...CALL_OPTIONS,
  refresh: is.flag,
  supportsLunaReserve: is.anything,
  excludeResetCreditDetails: is.anything,
};

/** Updates that are kept for the end of a read. */
const MOST_NEWER = 256;

/** The account's rate limits: read once, then kept up to date by the server's sparse updates. */
export class RateLimits {
  readonly #host: ServiceHost;
  readonly #listeners = new Set<(state: RateLimitState) => void>();
  /** Updates that came while a read was under way; they are newer than what it asked for. */
  readonly #reads = new Set<RateLimitSnapshot[]>();
  #current: RateLimitState | undefined;
  #wasRead = false;
  #listens = false;
  /** Counts accounts, so that the answer to a question about the last one is not taken for this one's. */
  #account = 0;

  constructor(host: ServiceHost) {
    this.#host = host;
  }

  /** What is known now, without asking; undefined before the first read or update, and after a login or logout. */
  get current(): RateLimitState | undefined {
    return this.#current;
  }

  /** The limits: asked for the first time and with `refresh`, else what the updates since have made of them. */
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

  /** Calls back with the merged limits whenever they change; returns how to stop. */
  subscribe(listener: (state: RateLimitState) => void): () => void {
    this.#listen();
    const own = (state: RateLimitState): void => listener(state);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** From the first use on, for the life of the client. */
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
    // Another account, or none: what was known is not about it.
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
        this.#host.warn("listener_failed", "a listener of the rate limits threw", cause);
      }
    }
  }
}
