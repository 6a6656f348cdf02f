import { setImmediate as nextTask } from "node:timers/promises";
import type { Transport } from "codexwright/rpc";

/** A received message, with the number of the event loop task that delivered it. */
export interface Read {
  readonly task: number;
  readonly atMs: number;
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly threadId?: string; readonly item?: { readonly type: string } };
  readonly result?: { readonly thread: { readonly id: string } };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client that only writes and reads lines. It reads each line in the event loop task that delivers it. */
export class RawClient implements AsyncDisposable {
  readonly read: Read[] = [];
  readonly #transport: Transport;
  readonly #waiting = new Map<(message: Read) => boolean, (message: Read) => void>();
  #task = 0;
  #open = true;

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.open({ line: (text) => this.#take(text), closed: () => (this.#open = false) });
    void this.#count();
  }

  /** Opens the channel and completes the handshake. */
  static async connect(transport: Transport): Promise<RawClient> {
    const client = new RawClient(transport);
    await client.request(0, "initialize", {
      clientInfo: { name: "raw", version: "1" },
      capabilities: { experimentalApi: true },
    });
    client.send({ method: "initialized" });
    return client;
  }

  send(message: object): void {
    void this.#transport.send(JSON.stringify(message));
  }

  /** Sends a request; resolves with its answer. */
  request(id: number, method: string, params: object): Promise<Read> {
    const answer = this.next((message) => message.id === id && message.method === undefined);
    this.send({ id, method, params });
    return answer;
  }

  /** Resolves with the next message that matches. */
  next(fits: (message: Read) => boolean): Promise<Read> {
    return new Promise((resolve) => this.#waiting.set(fits, resolve));
  }

  notification(method: string): Promise<Read> {
    return this.next((message) => message.method === method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#open = false;
    await this.#transport.close();
  }

  #take(text: string): void {
    const message: Read = { ...(JSON.parse(text) as Read), task: this.#task, atMs: performance.now() };
    this.read.push(message);
    for (const [fits, resolve] of this.#waiting) {
      if (!fits(message)) continue;
      this.#waiting.delete(fits);
      resolve(message);
    }
  }

  async #count(): Promise<void> {
    while (this.#open) {
      await nextTask();
      this.#task++;
    }
  }
}

/** The names of messages; answers by their ids. */
export function namesOf(messages: readonly Read[]): string[] {
  return messages.map(({ method, id, params }) => {
    if (method === undefined) return `answer ${id}`;
    return params?.item ? `${method} ${params.item.type}` : method;
  });
}
