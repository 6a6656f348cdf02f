import { memoryPair, type Transport } from "codexwright/rpc";
import type { EngineServer } from "@codexwright/engine";

/** A message of the server. */
export interface Wire {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>> & {
    readonly turn?: { readonly id: string; readonly status: string };
    readonly item?: { readonly id: string; readonly type: string };
  };
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client that sends what a test says, and keeps what it gets. It answers requests of the server with `answer`. */
export class RawClient {
  readonly got: Wire[] = [];
  readonly #near: Transport;
  readonly #answers = new Map<number, (answer: Wire) => void>();
  #waiting: (() => void)[] = [];
  #next = 0;

  private constructor(server: EngineServer, answer: (request: Wire) => unknown) {
    const [near, far] = memoryPair();
    server.accept(far);
    this.#near = near;
    near.open({
      line: (text) => {
        const message = JSON.parse(text) as Wire;
        this.got.push(message);
        const { id, method } = message;
        if (method === undefined) this.#answers.get(Number(id))?.(message);
        else if (id !== undefined) this.send({ id, result: answer(message) });
        this.#wake();
      },
      closed: () => {
        for (const settle of this.#answers.values()) settle({ error: { code: 0, message: "closed" } });
      },
    });
  }

  static async connect(
    server: EngineServer,
    answer: (request: Wire) => unknown = () => ({ decision: "decline" }),
  ): Promise<RawClient> {
    const client = new RawClient(server, answer);
    const capabilities = { experimentalApi: true };
    await client.call("initialize", { clientInfo: { name: "raw", version: "1" }, capabilities });
    client.send({ method: "initialized" });
    return client;
  }

  send(message: object): void {
    this.#near.send(JSON.stringify(message)).catch(() => {});
  }

  /** Sends a request, and resolves with its answer, also if that is an error. */
  call(method: string, params: object = {}): Promise<Wire> {
    const id = ++this.#next;
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.send({ id, method, params });
    });
  }

  async startThread(): Promise<string> {
    const { result } = await this.call("thread/start");
    return (result as { thread: { id: string } }).thread.id;
  }

  startTurn(threadId: string, text: string): Promise<Wire> {
    return this.call("turn/start", { threadId, input: inputOf(text) });
  }

  /** Resolves with the nth notification of the method, counted from 1. */
  async told(method: string, nth: number = 1): Promise<Wire> {
    for (;;) {
      const found = this.all(method)[nth - 1];
      if (found) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  all(method: string): Wire[] {
    return this.got.filter((message) => message.method === method);
  }

  close(): Promise<void> {
    return this.#near.close();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

export function inputOf(text: string): object[] {
  return [{ type: "text", text, text_elements: [] }];
}
