import { LineDecoder } from "../rpc/lines.ts";
import type { CloseReason } from "../rpc/errors.ts";
import type { Transport, TransportSink } from "../rpc/transport.ts";

/** How long the last lines may take to be read. */
const FLUSH_MS = 1_000;

/** Lines over our own stdin and stdout. It ends when stdin does. */
export class StdioServerTransport implements Transport {
  /** Resolves when nothing comes any more. */
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
    // A client that does not read its answers is not asked for more questions.
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
    // What was sent gets out, unless nobody takes it.
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FLUSH_MS);
      process.stdout.write("", () => resolve());
    });
    clearTimeout(timer);
  }

  readonly #read = (chunk: Buffer): void => {
    this.#decoder?.push(chunk);
    // A line without an end would be kept until there is no memory left.
    if ((this.#decoder?.waiting ?? 0) > this.#maxMessageBytes) this.#cutOff();
  };

  #isTooLong(line: string): boolean {
    // A character is at most three bytes long for each of its UTF-16 units.
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
    // Nothing that we do not read keeps the process alive.
    process.stdin.destroy();
    // The last line may still be answered.
    this.#decoder?.end();
    this.#ended = true;
    this.#sink?.closed(reason);
    this.#tellDone();
  }
}
