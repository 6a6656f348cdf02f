import type { FuzzyFileSearchResult } from "../../../protocol/index.ts";
import {
  AbortedError,
  ConnectionClosedError,
  InvalidArgumentError,
  type CodexError,
} from "../../../rpc/errors.ts";
import { offAbort, onAbort } from "../../../rpc/on-abort.ts";
import { atLeast } from "../../../protocol/release.ts";
import { CALL_OPTIONS, type CallOptions } from "../../connection/requester.ts";
import { UnsupportedError } from "../../connection/server/server-errors.ts";
import type { ServiceHost } from "../service-host.ts";
import { checkRoots } from "./search.ts";
import * as is from "../../../rpc/options/check.ts";
import { checkOptions, needed, type Table } from "../../../rpc/options/table.ts";

/** The current matches of a query. Each result replaces the one before it. */
export interface SearchResults {
  readonly query: string;
  readonly files: readonly FuzzyFileSearchResult[];
}

export interface SearchSessionOptions extends CallOptions {
  /** Absolute paths of the folders to search. */
  readonly roots: readonly string[];
}

const OPTIONS: Table<SearchSessionOptions> = { ...CALL_OPTIONS, roots: needed(is.listOf(is.text)) };

let sessions = 0;

/** Opens a search session. The server walks the folders once for all queries of the session. */
export async function openSearch(host: ServiceHost, options: SearchSessionOptions): Promise<SearchSession> {
  checkOptions("searchSession()", options, OPTIONS);
  const { roots, signal, timeoutMs } = options;
  const version = host.serverVersion();
  if (!atLeast(version, "0.105.0")) {
    throw new UnsupportedError(`search sessions need Codex 0.105.0 or newer, this is ${version}`);
  }
  // Not a secret: it only has to be unique among the clients of the same server.
  const sessionId = `codexwright-${Math.random().toString(36).slice(2)}-${++sessions}`;
  const params = { sessionId, roots: checkRoots(roots) };
  await host.request("fuzzyFileSearch/sessionStart", params, { signal, timeoutMs });
  return new SearchSession(host, sessionId, signal);
}

/**
 * A search whose query can change, for search-as-you-type.
 *
 * Iterating yields the newest results of the newest query. It skips results of an older query, and results that were
 * replaced while the consumer was busy. The iteration ends when {@link close} is called. It throws when the signal
 * fires or the connection ends. The server does not report reliably when a query is complete: the notification may
 * arrive before the results. To get one final list, use `search`.
 */
export class SearchSession implements AsyncIterable<SearchResults>, AsyncDisposable {
  readonly sessionId: string;
  readonly #host: ServiceHost;
  readonly #stops: (() => void)[];
  readonly #waiting = new Set<() => void>();
  #query: string | undefined;
  #current: SearchResults | undefined;
  #end: { readonly error: CodexError | undefined } | undefined;

  constructor(host: ServiceHost, sessionId: string, signal?: AbortSignal) {
    this.#host = host;
    this.sessionId = sessionId;
    this.#stops = [
      host.onNotification("fuzzyFileSearch/sessionUpdated", (update) => {
        if (update.sessionId !== sessionId || update.query !== this.#query) return;
        this.#current = { query: update.query, files: update.files };
        this.#wake();
      }),
      host.onClosed((reason) => this.#finish(new ConnectionClosedError(reason, "unknown"))),
    ];
    if (signal) this.#follow(signal);
  }

  /** The newest results of the newest query. */
  get current(): SearchResults | undefined {
    return this.#current;
  }

  /** Changes the query. */
  async update(query: string, call: CallOptions = {}): Promise<void> {
    if (this.#end)
      throw this.#end.error ?? new InvalidArgumentError("the search session is closed: open a new one");
    // Checked first, so that a rejected call does not change the query.
    checkOptions("session.update()", call, CALL_OPTIONS);
    this.#query = query;
    this.#current = undefined;
    await this.#host.request("fuzzyFileSearch/sessionUpdate", { sessionId: this.sessionId, query }, call);
  }

  /** Ends the session and its iterators. Safe to call twice. */
  async close(): Promise<void> {
    if (!this.#finish(undefined)) return;
    await this.#host.request("fuzzyFileSearch/sessionStop", { sessionId: this.sessionId });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SearchResults, undefined> {
    let seen: SearchResults | undefined;
    for (;;) {
      if (this.#current && this.#current !== seen) {
        seen = this.#current;
        yield seen;
      } else if (this.#end) {
        if (this.#end.error) throw this.#end.error;
        return undefined;
      } else {
        await new Promise<void>((resolve) => this.#waiting.add(resolve));
      }
    }
  }

  #follow(signal: AbortSignal): void {
    const abort = (): void => {
      this.#finish(new AbortedError("the search session", "unknown", signal.reason));
      this.#host.request("fuzzyFileSearch/sessionStop", { sessionId: this.sessionId }).catch(() => {});
    };
    if (signal.aborted) return abort();
    onAbort(signal, abort);
    this.#stops.push(() => offAbort(signal, abort));
  }

  /** Returns false if the session has already ended. */
  #finish(error: CodexError | undefined): boolean {
    if (this.#end) return false;
    this.#end = { error };
    for (const stop of this.#stops.splice(0)) stop();
    this.#wake();
    return true;
  }

  #wake(): void {
    for (const resume of this.#waiting) resume();
    this.#waiting.clear();
  }
}
