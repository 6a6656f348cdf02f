import { LineReader } from "./line-reader.ts";
import { StreamTooLargeError } from "./too-large-error.ts";

/** The limits of a stream of server-sent events. */
export interface StreamLimits {
  /** The most bytes of one line. */
  readonly line: number;
  /** The most bytes of the data of one event. */
  readonly event: number;
  /** The most bytes of the whole stream. */
  readonly stream: number;
}

/** Reads server-sent events. It returns their data and ignores all other fields and comments. */
export class EventReader {
  readonly #limits: StreamLimits;
  readonly #lines: LineReader;
  readonly #decoder = new TextDecoder();
  #data: string[] = [];
  #length = 0;
  #bytes = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
    this.#lines = new LineReader(limits.line);
  }

  /** Returns the data of the events that these bytes complete. An event without data is not returned. */
  push(bytes: Uint8Array): string[] {
    this.#bytes += bytes.length;
    if (this.#bytes > this.#limits.stream) {
      throw new StreamTooLargeError(`the stream is longer than ${this.#limits.stream} bytes`);
    }
    const events: string[] = [];
    for (const line of this.#lines.push(this.#decoder.decode(bytes, { stream: true }))) {
      if (line === "") this.#end(events);
      else if (line.startsWith("data")) this.#add(line);
    }
    return events;
  }

  #add(line: string): void {
    if (line.length > 4 && line[4] !== ":") return;
    const data = line.slice(line[5] === " " ? 6 : 5);
    // Each line counts at least one character, so that the number of empty lines is bounded too.
    this.#length += data.length + 1;
    if (this.#length > this.#limits.event) {
      throw new StreamTooLargeError(`an event of the stream is longer than ${this.#limits.event} characters`);
    }
    this.#data.push(data);
  }

  #end(events: string[]): void {
    if (this.#data.length === 0) return;
    events.push(this.#data.length === 1 ? (this.#data[0] ?? "") : this.#data.join("\n"));
    this.#data = [];
    this.#length = 0;
  }
}
