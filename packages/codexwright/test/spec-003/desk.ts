import type { WireMessage } from "codexwright/rpc";
import type { LineClient } from "@codexwright/test-support/line-client";
import { EXCHANGES, NOTIFICATIONS, type Message } from "./examples.ts";
import { deviations } from "./shape.ts";

/** Sends the examples as they are written and collects how the real answers deviate from the document. */
export class ExampleDesk {
  /** The document's values and their replacements here: thread and turn ids, paths, keys. */
  readonly names = new Map<string, string>();
  /** The real server's deviations, by example. */
  readonly found: Record<string, string[]> = {};
  readonly sent = new Set<string>();
  /** Server requests that were answered as in the document. */
  readonly answered = new Set<string>();
  readonly #client: LineClient;

  constructor(client: LineClient) {
    this.#client = client;
  }

  /** Sends an example and compares the real answer with the documented one. */
  async send(key: string): Promise<WireMessage> {
    const exchange = EXCHANGES.find((each) => each.key === key);
    if (!exchange) throw new Error(`the document has no example ${key}`);
    this.sent.add(key);
    const answer = await this.ask(exchange.request);
    this.#note(key, answer, exchange.answers);
    return answer;
  }

  /** Sends an example with other params, because the server rejects it as it is written. */
  async amended(key: string, change: (params: Record<string, unknown>) => unknown): Promise<WireMessage> {
    const exchange = EXCHANGES.find((each) => each.key === key);
    if (!exchange) throw new Error(`the document has no example ${key}`);
    const params = change(structuredClone(exchange.request.params) as Record<string, unknown>);
    const answer = await this.ask({ ...exchange.request, params });
    this.#note(`${key}, amended`, answer, exchange.answers);
    return answer;
  }

  /**
   * Sends a message with the values replaced and resolves with its answer. The document repeats ids, so only later
   * answers count.
   */
  async ask(message: Message): Promise<WireMessage> {
    const from = this.#client.messages.length;
    this.#client.write(this.substituted(message));
    return await this.after(from, (each) => each.method === undefined && each.id === message.id);
  }

  /** Resolves with the first matching message since `from`. */
  async after(from: number, fits: (message: WireMessage) => boolean): Promise<WireMessage> {
    let found: WireMessage | undefined;
    await this.#client.until(() => {
      found = this.#client.messages.slice(from).find(fits);
      return found !== undefined || this.#client.closed;
    });
    if (!found) throw new Error("the server is gone");
    return found;
  }

  /** Waits for a notification or a server request, since `from` if set. */
  async heard(method: string, from = 0, fits: (params: never) => boolean = () => true): Promise<WireMessage> {
    return await this.after(from, (each) => each.method === method && fits(each.params as never));
  }

  /** Compares a server request with the documented one and answers it as the document does. */
  answer(method: string, real: WireMessage): void {
    const exchange = EXCHANGES.find(({ request }) => request.method === method);
    if (!exchange) throw new Error(`the document has no example of ${method}`);
    const different = deviations(this.substituted(exchange.request).params, real.params);
    if (different.length > 0) this.found[exchange.key] = different;
    const { result } = this.substituted({ result: exchange.answers[0] });
    this.#client.write({ id: real.id, result });
    this.answered.add(method);
  }

  get place(): number {
    return this.#client.messages.length;
  }

  /**
   * Compares every received notification with the documented forms. Returns the documented methods that did not arrive.
   */
  compareNotifications(): string[] {
    const missing: string[] = [];
    for (const documented of NOTIFICATIONS) {
      const { method = "", params } = this.substituted(documented);
      const real = this.#client.messages.filter((each) => each.method === method && each.id === undefined);
      const compared = real.map((each) => deviations(params, each.params));
      const best = compared.toSorted((a, b) => a.length - b.length)[0];
      if (!best) missing.push(method);
      else if (best.length > 0) this.found[`${method} ${JSON.stringify(documented.params)}`] = best;
    }
    return [...new Set(missing)];
  }

  substituted<M extends Message>(message: M): M {
    let text = JSON.stringify(message);
    // Longer names first, because one may be the prefix of another.
    for (const [name, value] of [...this.names].toSorted(([a], [b]) => b.length - a.length)) {
      text = text.replaceAll(name, JSON.stringify(value).slice(1, -1));
    }
    return JSON.parse(text) as M;
  }

  #note(key: string, { error, result }: WireMessage, documented: readonly unknown[]): void {
    if (error) this.found[key] = [`refused: ${error.message}`];
    else {
      const compared = documented.map((each) =>
        deviations(this.substituted({ result: each }).result, result),
      );
      const best = compared.toSorted((a, b) => a.length - b.length)[0] ?? [];
      if (best.length > 0) this.found[key] = best;
    }
  }
}
