import type { RpcErrorObject, WireMessage } from "codexwright/rpc";

/** One step of a wire script: plain data, so that another process can play it too. */
export type WireStep =
  /** Waits for a message with this method. A request is answered if `result` or `error` is set. */
  | { readonly on: string; readonly result?: unknown; readonly error?: RpcErrorObject }
  /** Answers the oldest request of this method that an earlier step waited for without answering. */
  | { readonly answer: string; readonly result?: unknown; readonly error?: RpcErrorObject }
  /** Waits for the client's answer to a request that the script sent under this id. */
  | { readonly answered: number | string }
  /** Sends a message. With `repeat`, sends it that many times, with `$n` replaced by the number of each copy. */
  | { readonly send: WireMessage; readonly repeat?: number }
  /** Writes this text unchanged, without adding a line feed (in memory: one line). */
  | { readonly raw: string }
  /** Writes these chunks of bytes one after the other (only in a process). */
  | { readonly chunks: readonly (readonly number[])[] }
  | { readonly stderr: string }
  /** Closes stdout or, in memory, the channel, while the server stays alive. */
  | { readonly closeOutput: true }
  /** Ends the server: with this exit code, or by sending itself this signal. */
  | { readonly exit: number }
  | { readonly kill: "SIGKILL" | "SIGTERM" }
  /** Ignores the end of stdin and SIGTERM from here on. */
  | { readonly stubborn: true };

/** The actions of a script on its client. */
export interface WirePeer {
  write(text: string): void;
  chunks(chunks: readonly (readonly number[])[]): Promise<void>;
  stderr(text: string): void;
  closeOutput(): void;
  exit(code: number): void;
  kill(signal: "SIGKILL" | "SIGTERM"): void;
  stubborn(): void;
}

/** The steps of a handshake, for a script that does not start with one. */
export function handshakeSteps(version: string): WireStep[] {
  const userAgent = `codexwright/${version} (fake; none) none`;
  const result = { userAgent, codexHome: "(none)", platformFamily: "unix", platformOs: "linux" };
  return [
    { on: "initialize", result },
    { on: "initialized" },
    // A client asks for the list of methods. Without a list, it assumes that all methods exist.
    { on: "codexwright/methods", error: { code: -32600, message: "unknown method" } },
  ];
}

/** Plays a script against one client. Messages that no step waits for are kept, and never answered. */
export class ScriptPlayer {
  readonly received: WireMessage[] = [];
  readonly #peer: WirePeer;
  readonly #inbox: WireMessage[] = [];
  readonly #unanswered: WireMessage[] = [];
  #wake: (() => void) | undefined;

  constructor(peer: WirePeer) {
    this.#peer = peer;
  }

  receive(line: string): void {
    const message = JSON.parse(line) as WireMessage;
    this.received.push(message);
    this.#inbox.push(message);
    this.#wake?.();
  }

  async play(script: readonly WireStep[]): Promise<void> {
    for (const step of script) await this.#step(step);
  }

  async #step(step: WireStep): Promise<void> {
    if ("on" in step) return await this.#on(step);
    if ("answer" in step) return this.#answer(step);
    if ("answered" in step) {
      await this.#take((message) => message.method === undefined && message.id === step.answered);
      return;
    }
    if ("send" in step) return this.#send(step.send, step.repeat);
    if ("raw" in step) return this.#peer.write(step.raw);
    if ("chunks" in step) return await this.#peer.chunks(step.chunks);
    if ("stderr" in step) return this.#peer.stderr(step.stderr);
    if ("closeOutput" in step) return this.#peer.closeOutput();
    if ("exit" in step) return this.#peer.exit(step.exit);
    if ("kill" in step) return this.#peer.kill(step.kill);
    this.#peer.stubborn();
  }

  async #on(step: Extract<WireStep, { on: string }>): Promise<void> {
    const message = await this.#take((each) => each.method === step.on);
    if (message.id === undefined) return;
    if ("result" in step || "error" in step) this.#respond(message, step);
    else this.#unanswered.push(message);
  }

  #answer(step: Extract<WireStep, { answer: string }>): void {
    const at = this.#unanswered.findIndex((message) => message.method === step.answer);
    const [message] = at === -1 ? [] : this.#unanswered.splice(at, 1);
    if (!message) throw new Error(`the script answers ${step.answer}, but no earlier step waited for it`);
    this.#respond(message, step);
  }

  #respond(
    request: WireMessage,
    outcome: { readonly result?: unknown; readonly error?: RpcErrorObject },
  ): void {
    const { result, error } = outcome;
    this.#peer.write(`${JSON.stringify(error ? { error, id: request.id } : { id: request.id, result })}\n`);
  }

  #send(message: WireMessage, repeat = 1): void {
    const line = `${JSON.stringify(message)}\n`;
    if (repeat === 1) return this.#peer.write(line);
    const [head = "", ...tail] = line.split("$n");
    // Sent in batches: otherwise the operating system's cost of one write per line would dominate.
    for (let from = 0; from < repeat; from += 1_000) {
      let batch = "";
      for (let n = from; n < Math.min(repeat, from + 1_000); n++)
        batch += head + tail.map((rest) => n + rest).join("");
      this.#peer.write(batch);
    }
  }

  async #take(matches: (message: WireMessage) => boolean): Promise<WireMessage> {
    for (;;) {
      const at = this.#inbox.findIndex(matches);
      const [message] = at === -1 ? [] : this.#inbox.splice(at, 1);
      if (message) return message;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
