import { isJsonObject } from "../rpc/json.ts";
import type { RecordedEntry, RecordedMessage } from "./format.ts";
import type { Range } from "../redact/range.ts";
import type { Found, SecretStore } from "../redact/secret-store.ts";
import { openKeyAt } from "../redact/unfinished.ts";

/** Beyond these a line is not held back any more, and beyond twice as much nothing: a recording must come on. */
const MOST_HELD = 1_024;
const MOST_TEXT = 64 * 1024;
/** Beyond so many characters of all lines together nothing is held back either. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Beyond them, so many entries are looked at together. */
const STRIDE = 64;
/** The longest first line of a private key. */
const LONGEST_MARK = 160;

const BASE64_LINES = /^[\w+/=\s]*$/;

/** What of a text's end is held back: its last line, what looks like the beginning of a secret, or nothing. */
type Hold = "line" | "word" | "nothing";

/** The text of a delta, and where it belongs. */
interface Delta {
  readonly stream: string;
  readonly field: "delta" | "deltaBase64";
  readonly text: string;
}

interface Held {
  readonly entry: RecordedEntry;
  /** The characters of its line. */
  readonly size: number;
  /** Until the text is known, this entry and all behind it wait. */
  waiting: boolean;
}

interface Segment {
  readonly held: Held;
  readonly params: Record<string, unknown>;
  readonly delta: Delta;
}

/**
 * Lets recorded entries pass in order, but holds deltas back while the next one may finish a secret that they begin:
 * until the end of the line, for what a value is can be told by the words before it, and by patterns of the caller's.
 * A secret that is split over deltas becomes one placeholder, in the first of them.
 */
export class DeltaWindow {
  readonly #secrets: SecretStore;
  readonly #pass: (entry: RecordedEntry) => void;
  readonly #streams = new Map<string, Segment[]>();
  /** How much text was held back after the last search, by stream. */
  readonly #searched = new Map<string, number>();
  /** The first lines of private keys that go on behind what could not be held back any longer, by stream. */
  readonly #keys = new Map<string, string>();
  #held: Held[] = [];
  #characters = 0;

  constructor(secrets: SecretStore, pass: (entry: RecordedEntry) => void) {
    this.#secrets = secrets;
    this.#pass = pass;
  }

  /** Takes the next entry, redacted but for the text of `delta`, and the length of its line. */
  push(entry: RecordedEntry, delta: Delta | undefined, size: number): void {
    const held: Held = { entry, size, waiting: delta !== undefined };
    this.#held.push(held);
    this.#characters += size;
    if (delta) this.#extend(held, delta);
    else if (ends(entry)) {
      this.#settleAll("nothing");
      this.#keys.clear();
    }
    this.#release();
    if (this.#characters > MOST_CHARACTERS) return this.flush();
    if (this.#held.length <= MOST_HELD || this.#held.length % STRIDE !== 0) return;
    this.#settleAll(this.#held.length >= 2 * MOST_HELD ? "nothing" : "word");
    this.#release();
  }

  /** Nothing more comes: what is held back passes now. */
  flush(): void {
    this.#settleAll("nothing");
    this.#release();
  }

  #extend(held: Held, delta: Delta): void {
    const { params } = (held.entry as RecordedMessage).message;
    const segments = this.#streams.get(delta.stream) ?? [];
    segments.push({ held, params: params as Record<string, unknown>, delta });
    this.#streams.set(delta.stream, segments);
    const length = lengthOf(segments);
    const hold = length > MOST_TEXT ? "word" : "line";
    this.#settle(delta.stream, segments, length > 2 * MOST_TEXT ? "nothing" : hold);
  }

  #settleAll(hold: Hold): void {
    for (const [stream, segments] of this.#streams) this.#settle(stream, segments, hold);
  }

  /** Writes the texts that no later delta can change. */
  #settle(stream: string, segments: readonly Segment[], hold: Hold): void {
    if (hold === "line" && !this.#isDue(stream, segments)) return;
    const text = segments.map(({ delta }) => delta.text).join("");
    this.#secrets.seal();
    const { ranges, tokens } = this.#find(stream, text);
    const last = ranges.at(-1);
    let open = hold === "nothing" ? text.length : this.#secrets.unfinishedAt(text);
    if (hold !== "nothing" && last?.end === text.length) open = Math.min(open, last.start);
    if (hold === "line") open = Math.min(open, text.lastIndexOf("\n") + 1);
    let at = 0;
    let settled = 0;
    // Up to a delta that reaches into the open end, or is the first of those that share a secret with it.
    const bounds = segments.map(({ delta }) => ({ start: at, end: (at += delta.text.length) }));
    for (const [index, { end }] of bounds.entries()) {
      if (end > open) break;
      if (!ranges.some((range) => range.start < end && range.end > end)) settled = index + 1;
    }
    for (const [index, segment] of segments.slice(0, settled).entries()) {
      const bound = bounds[index];
      if (bound)
        this.#write(
          segment,
          part(text, bound, ranges, (each) => this.#secrets.placeholder(each, "peer")),
        );
    }
    if (hold === "nothing" || (settled > 0 && this.#keys.has(stream)))
      this.#keepKey(stream, text.slice(0, bounds[settled - 1]?.end ?? 0));
    if (settled > 0) {
      // A token that is still growing is not one yet.
      const rest = text.slice(bounds[settled - 1]?.end);
      for (const token of tokens) if (!rest.includes(token)) this.#secrets.learn(token, "peer");
    }
    this.#searched.delete(stream);
    if (settled === segments.length) return void this.#streams.delete(stream);
    const rest = segments.slice(settled);
    this.#streams.set(stream, rest);
    if (hold === "line") this.#searched.set(stream, lengthOf(rest));
  }

  /**
   * Whether looking again can settle anything: a line has ended and, if lines of base64 are held back, something else
   * has come or they have doubled. Otherwise each line of a long file would cost a search of all before it.
   */
  #isDue(stream: string, segments: readonly Segment[]): boolean {
    const newest = segments.at(-1)?.delta.text ?? "";
    if (!newest.includes("\n")) return false;
    const searched = this.#searched.get(stream) ?? 0;
    return lengthOf(segments) >= 2 * searched || !BASE64_LINES.test(newest);
  }

  /** What must go of the text of a stream, which may begin inside a key. */
  #find(stream: string, text: string): Found {
    const key = this.#keys.get(stream) ?? "";
    const { ranges, tokens } = this.#secrets.find(key + text);
    if (key === "") return { ranges, tokens };
    const behind = ranges.filter(({ end }) => end > key.length);
    return {
      ranges: behind.map(({ start, end }) => ({
        start: Math.max(0, start - key.length),
        end: end - key.length,
      })),
      tokens,
    };
  }

  /** Remembers that the text ends inside a key, or forgets that it began in one. */
  #keepKey(stream: string, text: string): void {
    const whole = (this.#keys.get(stream) ?? "") + text;
    const at = openKeyAt(whole);
    if (at === undefined) return void this.#keys.delete(stream);
    this.#keys.set(stream, `${whole.slice(at, at + LONGEST_MARK).split("\n", 1)[0] ?? ""}\n`);
    const [oldest] = this.#keys.size > MOST_HELD ? this.#keys.keys() : [];
    if (oldest !== undefined) this.#keys.delete(oldest);
  }

  #write({ held, params, delta }: Segment, text: string): void {
    params[delta.field] = delta.field === "delta" ? text : Buffer.from(text, "latin1").toString("base64");
    held.waiting = false;
  }

  #release(): void {
    const waiting = this.#held.findIndex((held) => held.waiting);
    const free = this.#held.splice(0, waiting === -1 ? this.#held.length : waiting);
    for (const { entry, size } of free) {
      this.#characters -= size;
      this.#pass(entry);
    }
  }
}

function lengthOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { delta }) => sum + delta.text.length, 0);
}

/** The text that a message adds to a stream, if it does. */
export function deltaOf(connection: number, message: Readonly<Record<string, unknown>>): Delta | undefined {
  const { id, method, params } = message;
  if (id !== undefined || typeof method !== "string" || !isJsonObject(params)) return undefined;
  const { delta, deltaBase64, ...place } = params;
  if (typeof delta !== "string" && typeof deltaBase64 !== "string") return undefined;
  // What is about a place that is nested is no delta of Codex's; it might be deeper than the stack is high.
  if (Object.values(place).some((value) => typeof value === "object" && value !== null)) return undefined;
  const stream = JSON.stringify([connection, method, place]);
  if (typeof delta === "string") return { stream, field: "delta", text: delta };
  // Byte by byte: a character may be split between two of them.
  return {
    stream,
    field: "deltaBase64",
    text: Buffer.from(deltaBase64 as string, "base64").toString("latin1"),
  };
}

/** After these nothing is added to what was streamed before. */
function ends(entry: RecordedEntry): boolean {
  if ("closed" in entry) return true;
  if (!("message" in entry)) return false;
  const { method } = entry.message;
  return method === "item/completed" || method === "turn/completed";
}

/** What is left of one delta: a secret stands where it begins. */
function part(
  text: string,
  bound: Range,
  ranges: readonly Range[],
  placeholder: (secret: string) => string,
): string {
  let out = "";
  let at = bound.start;
  for (const { start, end } of ranges) {
    if (end <= bound.start || start >= bound.end) continue;
    if (start >= bound.start) out += text.slice(at, start) + placeholder(text.slice(start, end));
    at = Math.min(end, bound.end);
  }
  return out + text.slice(at, bound.end);
}
