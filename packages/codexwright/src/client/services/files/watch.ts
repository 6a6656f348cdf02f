import type { FsWatchResponse } from "../../../protocol/index.ts";
import { AbortedError, CodexError, ConnectionClosedError } from "../../../rpc/errors.ts";
import { offAbort, onAbort, unlessAborted } from "../../../rpc/on-abort.ts";
import { EventQueue } from "../../../rpc/queue.ts";
import { Inbox } from "../commands/inbox.ts";
import { atLeast } from "../../../protocol/release.ts";
import { UnsupportedError } from "../../connection/server/server-errors.ts";
import type { ServiceHost } from "../service-host.ts";
import { checkAbsolute } from "./paths.ts";
import * as is from "../../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../../rpc/options/table.ts";

export interface WatchOptions {
  /** Ends the watch: iterating it rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: Table<WatchOptions> = { signal: is.signal };

/** One batch of changed paths. The server reports changes within about 200 ms as one batch. */
export interface WatchChange {
  readonly changedPaths: readonly string[];
}

/**
 * Maximum number of batches that wait for the consumer separately. Further batches are joined, so the memory in use
 * depends only on the number of changed files.
 */
const LAG = 64;
const changes = new Inbox("fs/changed", ({ watchId }) => watchId);
let watches = 0;

/**
 * Watches a file, the direct children of a folder, or a path that does not exist yet.
 *
 * Throws `invalid_argument` for a path that is not absolute, and `unsupported` for servers before 0.120.
 */
export function watch(host: ServiceHost, path: string, options: WatchOptions = {}): Watch {
  checkAbsolute("path", path);
  checkOptions("watch()", options, OPTIONS);
  const version = host.serverVersion();
  if (!atLeast(version, "0.120.0")) {
    throw new UnsupportedError(`codex ${version} cannot watch files: that came with 0.120`);
  }
  return new Watch(host, path, options);
}

/**
 * A running watch. Iterate it for all changes since its start. Leaving the loop closes the watch.
 *
 * The server reports which paths changed, but not how. If the consumer lags far behind, batches are joined; no change
 * is lost. The end of the connection ends the iteration with `connection_closed`.
 */
export class Watch implements AsyncIterableIterator<WatchChange>, AsyncDisposable {
  /**
   * Resolves when the watch is active, with the path as the server resolved it. If it rejects, iterating rejects with
   * the same error.
   */
  readonly ready: Promise<string>;
  readonly #host: ServiceHost;
  readonly #watchId = `codexwright-watch-${++watches}`;
  readonly #signal: AbortSignal | undefined;
  readonly #queue = new EventQueue<WatchChange>();
  readonly #joined = new Set<string>();
  readonly #release: readonly (() => void)[];
  /** The server's answer to the request to watch. */
  readonly #watching: Promise<FsWatchResponse>;
  #ended = false;
  #closing: Promise<void> | undefined;

  constructor(host: ServiceHost, path: string, { signal }: WatchOptions) {
    this.#host = host;
    this.#signal = signal;
    this.#release = [
      // Registered before the request is written: changes can arrive before the answer.
      changes.open(host, this.#watchId, ({ changedPaths }) => this.#changed(changedPaths)),
      host.onClosed((reason) => this.#end(new ConnectionClosedError(reason, "unknown"))),
      () => offAbort(signal, this.#onAbort),
    ];
    onAbort(signal, this.#onAbort);
    this.#watching = this.#start(path);
    this.ready = this.#answered();
    this.ready.catch((error: unknown) => this.#end(error));
  }

  async next(): Promise<IteratorResult<WatchChange, undefined>> {
    if (this.#queue.size === 0) this.#flush();
    return await this.#queue.next();
  }

  /** Called when the consumer leaves the loop. */
  async return(): Promise<IteratorResult<WatchChange, undefined>> {
    await this.close();
    return await this.#queue.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends the watch: locally right away, and then on the server. Safe to call twice. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #start(path: string): Promise<FsWatchResponse> {
    if (this.#signal?.aborted) throw new AbortedError("the watch", "notSent", this.#signal.reason);
    return await this.#host.request("fs/watch", { watchId: this.#watchId, path });
  }

  async #answered(): Promise<string> {
    const answer = await unlessAborted("the watch", this.#watching, this.#signal, "unknown");
    return answer.path;
  }

  async #close(): Promise<void> {
    this.#end();
    try {
      await this.#watching;
      await this.#host.request("fs/unwatch", { watchId: this.#watchId });
    } catch (error) {
      // If the watch never started or the connection is gone, there is nothing to end on the server.
      if (!(error instanceof CodexError)) throw error;
    }
  }

  readonly #onAbort = (): void => {
    this.#end(new AbortedError("the watch", "unknown", this.#signal?.reason));
    void this.close();
  };

  #changed(changedPaths: readonly string[]): void {
    if (this.#queue.size < LAG && this.#joined.size === 0) return this.#queue.push({ changedPaths });
    for (const path of changedPaths) this.#joined.add(path);
  }

  #flush(): void {
    if (this.#joined.size === 0) return;
    this.#queue.push({ changedPaths: [...this.#joined] });
    this.#joined.clear();
  }

  /** Every end passes through here. */
  #end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const release of this.#release) release();
    this.#flush();
    if (error === undefined) this.#queue.end();
    else this.#queue.fail(error);
  }
}
