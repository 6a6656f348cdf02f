import { LineDecoder } from "../rpc/lines.ts";
import type { CloseReason } from "../rpc/errors.ts";
import type { Transport, TransportSink } from "../rpc/transport.ts";

/** How long to wait for the client to read the last lines. */
const FLUSH_MS = 1_000;

/** Sends and receives lines over our own stdout and stdin. The transport ends when stdin ends. */
export class StdioServerTransport implements Transport {
  /** Resolves when the transport has ended. */
  readonly done: Promise<void>;
  #tellDone: () => void = () => {};
  #sink: TransportSink | undefined;
  #ending = false;
  #ended = false;
  #decoder: LineDecoder | undefined;
  readonly #maxMessageBytes: number;

  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes;
    this.done = new Promise((resolve) => {
      this.#tellDone = resolve;
    });
  }

  open(sink: TransportSink): void {
    this.#sink = sink;
    this.#decoder = new LineDecoder((line) => {
      if (this.#isTooLong(line)) this.#cutOff();
      else if (!this.#ended) sink.line(line);
    });
    process.stdin.on("data", this.#read);
    process.stdin.once("end", () => this.#end({ message: "stdin ended" }));
    process.stdin.once("error", (cause) => this.#end({ message: "stdin broke", cause }));
    process.stdout.on("error", (cause) => this.#end({ message: "stdout broke", cause }));
    // While the client does not read its answers, we do not read its requests.
    process.stdout.on("drain", () => {
      if (!this.#ending) process.stdin.resume();
    });
  }

  send(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(new Error("the connection is closed"));
      const room = process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
      if (!room) process.stdin.pause();
    });
  }

  async close(): Promise<void> {
    this.#end({ message: "the connection was closed by this end" });
    // Wait until the sent lines are flushed, but not forever if the client does not read them.
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FLUSH_MS);
      process.stdout.write("", () => resolve());
    });
    clearTimeout(timer);
  }

  readonly #read = (chunk: Buffer): void => {
    this.#decoder?.push(chunk);
    // An endless line would fill the memory.
    if ((this.#decoder?.waiting ?? 0) > this.#maxMessageBytes) this.#cutOff();
  };

  #isTooLong(line: string): boolean {
    // Each UTF-16 unit takes at most three bytes in UTF-8.
    return line.length * 3 > this.#maxMessageBytes && Buffer.byteLength(line) > this.#maxMessageBytes;
  }

  #cutOff(): void {
    this.#decoder = undefined;
    this.#end({ message: `the client was cut off: a message is longer than ${this.#maxMessageBytes} bytes` });
  }

  #end(reason: CloseReason): void {
    if (this.#ending) return;
    this.#ending = true;
    process.stdin.off("data", this.#read);
    // An unread stdin must not keep the process alive.
    process.stdin.destroy();
    // Deliver the last line, because it may still be answered.
    this.#decoder?.end();
    this.#ended = true;
    this.#sink?.closed(reason);
    this.#tellDone();
  }
}
