import type { Transport, WireMessage } from "codexwright/rpc";

/** The options of a client's handshake. */
export interface Hello {
  readonly name?: string;
  readonly version?: string;
  readonly capabilities?: object;
}

/** A client that exchanges raw lines, so that a test sees and writes the wire itself. */
export class LineClient {
  /** Every line so far, unchanged. */
  readonly lines: string[] = [];
  readonly messages: WireMessage[] = [];
  readonly #transport: Transport;
  readonly #watchers = new Set<() => void>();
  readonly #answers = new Map<unknown, WireMessage>();
  #nextId = 1;
  closed = false;

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.open({
      line: (text) => {
        this.lines.push(text);
        const message = JSON.parse(text) as WireMessage;
        this.messages.push(message);
        if (message.method === undefined) this.#answers.set(message.id, message);
        this.#wake();
      },
      closed: () => {
        this.closed = true;
        this.#wake();
      },
    });
  }

  /** The methods of the notifications and requests received, in order. */
  get methods(): readonly string[] {
    return this.messages.flatMap(({ method }) => (method === undefined ? [] : [method]));
  }

  write(line: string | object): void {
    void this.#transport.send(typeof line === "string" ? line : JSON.stringify(line)).catch(() => {});
  }

  /** Sends a request and resolves with its answer. */
  async ask(method: string, params?: unknown): Promise<WireMessage> {
    const id = this.#nextId++;
    this.write({ id, method, ...(params !== undefined && { params }) });
    return this.answer(id);
  }

  /** Resolves with the answer to one of our requests. */
  async answer(id: number | string): Promise<WireMessage> {
    await this.until(() => this.#answers.has(id));
    return this.#answers.get(id)!;
  }

  /** Resolves with the `count`-th message of this method. */
  async told(method: string, count = 1): Promise<WireMessage> {
    let found: WireMessage | undefined;
    await this.until(() => {
      found = this.messages.filter((message) => message.method === method)[count - 1];
      return found !== undefined;
    });
    return found!;
  }

  /** Resolves when the condition holds. It is checked on every line. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Resolves when everything that the endpoint wrote before has arrived. */
  async settled(): Promise<void> {
    await this.ask("no/such/method", {});
  }

  hello({ name = "raw", version = "1", capabilities }: Hello = {}): Promise<WireMessage> {
    return this.ask("initialize", { clientInfo: { name, version }, ...(capabilities && { capabilities }) });
  }

  async hangUp(): Promise<void> {
    await this.#transport.close();
    await this.until(() => this.closed);
  }

  #wake(): void {
    for (const look of Array.from(this.#watchers)) look();
  }
}
