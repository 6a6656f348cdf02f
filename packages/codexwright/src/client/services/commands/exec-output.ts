import { EventQueue } from "../../../rpc/queue.ts";
import { ByteList } from "../../../rpc/byte-list.ts";
import { OutputLostError } from "./exec-errors.ts";

const LF = 0x0a;

/**
 * An output stream of a command. Iterate it for its bytes, from the start and as they arrive. It can have several
 * readers, and each receives everything. If the command fails, a reader first receives the output that has arrived;
 * then reading rejects.
 */
export interface ExecOutput extends AsyncIterable<Uint8Array> {
  /** Resolves with the whole output, decoded as UTF-8, when the command has ended. */
  text(): Promise<string>;
  /** Yields the output line by line, decoded as UTF-8, without line ends. */
  lines(): AsyncGenerator<string, undefined>;
}

/** Size limits of a stream. */
export interface OutputLimits {
  /** Maximum number of bytes that are passed on. Later bytes are dropped. */
  readonly cap: number;
  /** Maximum number of bytes, from the start of the stream, that are kept for the result and for late readers. */
  readonly keep: number;
}

/** One output stream: its kept bytes and its readers. */
export class OutputBuffer implements ExecOutput {
  readonly #name: "stdout" | "stderr";
  readonly #limits: OutputLimits;
  readonly #kept = new ByteList();
  readonly #readers = new Set<OutputReader>();
  #passed = 0;
  #cut = false;
  #end: { readonly error: unknown } | undefined;

  constructor(name: "stdout" | "stderr", limits: OutputLimits) {
    this.#name = name;
    this.#limits = limits;
  }

  /** Whether {@link keptText} is shorter than the output of the command. */
  get truncated(): boolean {
    return this.#cut || this.#passed > this.#kept.length;
  }

  /** The kept output as text, without a character that the limit splits. */
  get keptText(): string {
    return decode(this.#kept.views(), this.truncated);
  }

  push(chunk: Uint8Array): void {
    const room = this.#limits.cap - this.#passed;
    if (chunk.length > room) this.#cut = true;
    const bytes = chunk.length > room ? chunk.subarray(0, room) : chunk;
    if (bytes.length === 0) return;
    this.#passed += bytes.length;
    this.#kept.append(bytes.subarray(0, Math.max(0, this.#limits.keep - this.#kept.length)));
    for (const reader of this.#readers) reader.push(bytes);
  }

  /** Called when the server itself dropped output. */
  markCut(): void {
    this.#cut = true;
  }

  end(error?: unknown): void {
    this.#end ??= { error };
    for (const reader of this.#readers) reader.end(this.#end.error);
    this.#readers.clear();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const reader = new OutputReader((left) => this.#readers.delete(left));
    for (const bytes of this.#kept.views()) reader.push(bytes);
    const lost = this.#passed - this.#kept.length;
    if (lost > 0) reader.end(new OutputLostError(this.#name, lost));
    else if (this.#end) reader.end(this.#end.error);
    else this.#readers.add(reader);
    return reader;
  }

  async text(): Promise<string> {
    const all = new ByteList();
    for await (const bytes of this) all.append(bytes);
    return decode(all.views(), false);
  }

  async *lines(): AsyncGenerator<string, undefined> {
    // A long line in many chunks is joined once, and not searched again with each chunk.
    const rest = new ByteList();
    for await (const bytes of this) {
      // In UTF-8, a line feed byte is never part of a longer character.
      const at = bytes.lastIndexOf(LF);
      if (at === -1) {
        rest.append(bytes);
        continue;
      }
      rest.append(bytes.subarray(0, at));
      const whole = decode(rest.take(), false);
      rest.append(bytes.subarray(at + 1));
      for (const line of whole.split("\n")) yield line.replace(/\r$/, "");
    }
    if (rest.length > 0) yield decode(rest.take(), false).replace(/\r$/, "");
    return undefined;
  }
}

/** One reader: receives chunks one by one while it keeps up, and joined chunks when it lags. */
class OutputReader implements AsyncIterableIterator<Uint8Array> {
  readonly #queue = new EventQueue<Uint8Array>();
  readonly #backlog = new ByteList();
  readonly #onLeave: (self: OutputReader) => void;

  constructor(onLeave: (self: OutputReader) => void) {
    this.#onLeave = onLeave;
  }

  push(bytes: Uint8Array): void {
    if (this.#queue.size === 0) this.#queue.push(bytes);
    else this.#backlog.append(bytes);
  }

  end(error: unknown): void {
    this.#flush();
    if (error === undefined) this.#queue.end();
    else this.#queue.fail(error);
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#queue.size === 0) this.#flush();
    return this.#queue.next();
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#onLeave(this);
    this.#backlog.take();
    return this.#queue.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #flush(): void {
    for (const bytes of this.#backlog.take()) this.#queue.push(bytes);
  }
}

function decode(chunks: readonly Uint8Array[], cut: boolean): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  for (const bytes of chunks) text += decoder.decode(bytes, { stream: true });
  return cut ? text : text + decoder.decode();
}
