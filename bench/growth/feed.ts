import { setImmediate as nextTick } from "node:timers/promises";
import { CodexClient, type ClientOptions } from "codexwright/client";
import type { Transport, TransportSink } from "codexwright/rpc";

interface Request {
  readonly id?: number;
  readonly method?: string;
  readonly params: { readonly threadId?: string };
}

/** The feed's answers, by method. */
export type Answers = Readonly<Record<string, (params: Request["params"]) => unknown>>;

/** The number of lines that are read before the reader's consumers run: as many as a full pipe holds. */
const BATCH = 256;

/**
 * A server in the client's process with prepared lines, so that only the client is measured. Its threads are called
 * `thread-0`, `thread-1` …, and the turns of each thread are called `turn-0`, `turn-1` ….
 */
export class Feed implements Transport {
  readonly #answers: Answers;
  readonly #turns = new Map<string, number>();
  #threads = 0;
  #sink: TransportSink | undefined;

  constructor(answers: Answers = {}) {
    this.#answers = answers;
  }

  open(sink: TransportSink): void {
    this.#sink = sink;
  }

  async send(text: string): Promise<void> {
    const { id, method, params } = JSON.parse(text) as Request;
    if (id === undefined || method === undefined) return;
    const result = this.#answers[method]?.(params) ?? this.#answer(method, params);
    queueMicrotask(() => this.line(JSON.stringify({ id, result })));
  }

  async close(): Promise<void> {
    this.#sink?.closed({ message: "the feed was closed" });
  }

  line(text: string): void {
    this.#sink?.line(text);
  }

  /** Sends these lines to the client, with pauses in which the client can process them. */
  async play(lines: readonly string[]): Promise<void> {
    await nextTick();
    for (let at = 0; at < lines.length; at += BATCH) {
      for (const line of lines.slice(at, at + BATCH)) this.line(line);
      await nextTick();
    }
  }

  #answer(method: string, { threadId = "" }: Request["params"]): unknown {
    switch (method) {
      case "initialize":
        return { userAgent: "bench/0.166.0 (none; none) none", codexHome: "/", platformFamily: "unix" };
      case "thread/start":
        return { thread: { id: `thread-${this.#threads++}` }, approvalPolicy: "on-request" };
      case "turn/start": {
        const turn = this.#turns.get(threadId) ?? 0;
        this.#turns.set(threadId, turn + 1);
        return { turn: { id: `turn-${turn}`, items: [], status: "inProgress", error: null } };
      }
      default:
        return {};
    }
  }
}

/** Connects a client to this feed. */
export async function clientOf(
  feed: Feed,
  options: Omit<ClientOptions, "transport"> = {},
): Promise<CodexClient> {
  return await CodexClient.connect({ transport: () => feed, ...options });
}
