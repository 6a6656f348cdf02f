import type { Transport, TransportFactory } from "../../rpc/transport.ts";
import { entriesOf, type Recording } from "../format.ts";
import { readRecording } from "../recording-file.ts";
import { ReplayMismatchError } from "./replay-error.ts";
import { Bindings } from "./replay-match.ts";
import { ReplayPlayer, type Numbered } from "./replay-player.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../rpc/options/table.ts";

/** Options of {@link replay}. */
export interface ReplayOptions {
  /**
   * How long the client may take for the next recorded step, including the disconnect. Default: 4000; 0 means no limit.
   * If the client sends a message that does not match the recording, the replay fails immediately.
   */
  readonly stallMs?: number;
}

const OPTIONS: Table<ReplayOptions> = { stallMs: is.milliseconds };

/** A recorded server. Created by {@link replay}. */
export interface Replay extends TransportFactory, AsyncDisposable {
  /** Resolves when the client has done everything that is recorded. Rejects with the first deviation. */
  readonly done: Promise<void>;
  /**
   * Closes open connections. Rejects with the error of `done`. Also rejects if the client has not reached the end of
   * the recording.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a server that sends what a recorded server sent, and checks what the client sends. It waits only for the
 * client; recorded pauses are skipped.
 *
 * Pass it to a client as its `transport`. Each server message is sent when all client messages that were recorded
 * before it have arrived. If the client sent several messages at about the same time, they may arrive in a different
 * order. Requests are matched by method and params, not by id. A redacted secret matches any text, but every occurrence
 * must match the same text. Each connection replays the next connection of the recording. If a client deviates from the
 * recording, its requests fail, the connection is closed, and `done` rejects with a {@link ReplayMismatchError}.
 */
export function replay(source: string | Recording, options: ReplayOptions = {}): Replay {
  is.checkArgument("replay()", "source", source, is.either(is.nonEmptyText, is.listOf(is.anything)));
  checkOptions("replay()", options, OPTIONS);
  const server = new ReplayServer(source, options);
  return Object.defineProperties(() => server.connect(), {
    done: { value: server.done },
    close: { value: () => server.dispose() },
    [Symbol.asyncDispose]: { value: () => server.dispose() },
  }) as unknown as Replay;
}

class ReplayServer {
  readonly done: Promise<void>;
  readonly #source: string | Recording;
  readonly #stallMs: number;
  readonly #bindings = new Bindings();
  readonly #players: ReplayPlayer[] = [];
  readonly #finished = new Set<number>();
  #connections: Promise<readonly (readonly Numbered[])[]> | undefined;
  #failure: ReplayMismatchError | undefined;
  #resolve!: () => void;
  #reject!: (error: unknown) => void;

  constructor(source: string | Recording, options: ReplayOptions) {
    this.#source = source;
    this.#stallMs = options.stallMs ?? 4_000;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.done.catch(() => {}); // The client and `dispose` report the error too.
  }

  async connect(): Promise<Transport> {
    const connections = await this.#load();
    if (this.#failure) throw this.#failure;
    const connection = this.#players.length + 1;
    const entries = connections[connection - 1];
    if (!entries) {
      const line = connections.flat().length + 1;
      const error = new ReplayMismatchError(
        "unexpected",
        { connection, line },
        { actual: { method: "a connection" } },
      );
      this.#fail(error);
      throw error;
    }
    const player = new ReplayPlayer(entries, {
      connection,
      bindings: this.#bindings,
      stallMs: this.#stallMs,
      finished: () => {
        this.#finished.add(connection);
        if (this.#finished.size === connections.length) this.#resolve();
      },
      failed: (error) => this.#fail(error),
    });
    this.#players.push(player);
    return player.end;
  }

  async dispose(): Promise<void> {
    for (const player of this.#players) player.stop();
    const connections = await this.#load();
    if (!this.#failure && this.#finished.size < connections.length) this.#fail(this.#missing(connections));
    if (this.#failure) throw this.#failure;
  }

  #load(): Promise<readonly (readonly Numbered[])[]> {
    this.#connections ??= this.#read();
    return this.#connections;
  }

  async #read(): Promise<readonly (readonly Numbered[])[]> {
    try {
      const recording = typeof this.#source === "string" ? await readRecording(this.#source) : this.#source;
      const connections = new Map<number, Numbered[]>();
      for (const [index, entry] of entriesOf(recording).entries()) {
        const steps = connections.get(entry.connection) ?? [];
        connections.set(entry.connection, steps);
        steps.push({ entry, line: index + 2 });
      }
      return [...connections].toSorted(([a], [b]) => a - b).map(([, steps]) => steps);
    } catch (error) {
      this.#reject(error);
      throw error;
    }
  }

  #missing(connections: readonly (readonly Numbered[])[]): ReplayMismatchError {
    const at = connections.findIndex((_, index) => !this.#finished.has(index + 1));
    const next = this.#players[at]?.missing ?? connections[at]?.[0];
    const place = { connection: at + 1, line: next?.line ?? 1 };
    return new ReplayMismatchError("missing", place, {
      ...(next && "message" in next.entry && { expected: next.entry.message }),
    });
  }

  #fail(error: ReplayMismatchError): void {
    this.#failure ??= error;
    this.#reject(error);
  }
}
