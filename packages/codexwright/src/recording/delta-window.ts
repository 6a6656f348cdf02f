import { isJsonObject } from "../rpc/json.ts";
import type { RecordedEntry, RecordedMessage } from "./format.ts";
import type { Range } from "../redact/range.ts";
import type { Found, SecretStore } from "../redact/secret-store.ts";
import { openKeyAt } from "../redact/unfinished.ts";

/**
 * Limits of the text that is held back. Beyond one of these limits, only a possible secret is held back instead of a
 * whole line. Beyond twice the limit, nothing is held back, so that the recording does not stall.
 */
const MOST_HELD = 1_024;
const MOST_TEXT = 64 * 1024;
/** The maximum number of characters that are held back in all lines. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** If more than MOST_HELD entries are held back, the texts are searched again after every STRIDE entries. */
const STRIDE = 64;
/** The maximum length of the first line of a private key. */
const LONGEST_MARK = 160;

const BASE64_LINES = /^[\w+/=\s]*$/;

/** Which part of the end of a text is held back: the last line, a possible beginning of a secret, or nothing. */
type Hold = "line" | "word" | "nothing";

/** The text of a delta and the stream that it belongs to. */
interface Delta {
  readonly stream: string;
  readonly field: "delta" | "deltaBase64";
  readonly text: string;
}

interface Held {
  readonly entry: RecordedEntry;
  /** The length of the recorded line in characters. */
  readonly size: number;
  /** True while the text is not final. Meanwhile, this entry and all later entries are held back. */
  waiting: boolean;
}

interface Segment {
  readonly held: Held;
  readonly params: Record<string, unknown>;
  readonly delta: Delta;
}

/**
 * Passes recorded entries on in order, but holds a delta back while the next delta may complete a secret. Text is held
 * back until the end of its line, because the words before a value may mark the value as a secret, and the caller's
 * patterns may match the line. If a secret is split over several deltas, it becomes one placeholder in the first of
 * them.
 */
export class DeltaWindow {
  readonly #secrets: SecretStore;
  readonly #pass: (entry: RecordedEntry) => void;
  readonly #streams = new Map<string, Segment[]>();
  /** For each stream, how much text was held back after the last search. */
  readonly #searched = new Map<string, number>();
  /** For each stream, the first line of a private key that continues after text that was already released. */
  readonly #keys = new Map<string, string>();
  #held: Held[] = [];
  #characters = 0;

  constructor(secrets: SecretStore, pass: (entry: RecordedEntry) => void) {
    this.#secrets = secrets;
    this.#pass = pass;
  }

  /**
   * Adds the next entry. The entry is already redacted, except for the text of `delta`. `size` is the length of its
   * line.
   */
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

  /** Releases everything that is held back. Call this at the end. */
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
    // Settle the deltas before the first one that overlaps the unfinished end of the text. If a delta shares a secret
    // with an unsettled delta, do not settle it either.
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
      // If a token also occurs in the unsettled rest, it may still grow, so do not learn it yet.
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
   * Returns whether another search could settle anything. A line must have ended. If base64 lines are held back, other
   * text must have arrived or their length must have doubled. Without this check, each line of a long file would cost a
   * search of all lines before it.
   */
  #isDue(stream: string, segments: readonly Segment[]): boolean {
    const newest = segments.at(-1)?.delta.text ?? "";
    if (!newest.includes("\n")) return false;
    const searched = this.#searched.get(stream) ?? 0;
    return lengthOf(segments) >= 2 * searched || !BASE64_LINES.test(newest);
  }

  /** Searches the text of a stream, which may begin inside a private key. */
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

  /** Remembers that the text ends inside a private key, or forgets a key that has ended. */
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

/** Returns the text that a message adds to a stream, or undefined. */
export function deltaOf(connection: number, message: Readonly<Record<string, unknown>>): Delta | undefined {
  const { id, method, params } = message;
  if (id !== undefined || typeof method !== "string" || !isJsonObject(params)) return undefined;
  const { delta, deltaBase64, ...place } = params;
  if (typeof delta !== "string" && typeof deltaBase64 !== "string") return undefined;
  // Deltas from Codex have no nested members. Other messages could be nested deeper than the stack allows.
  if (Object.values(place).some((value) => typeof value === "object" && value !== null)) return undefined;
  const stream = JSON.stringify([connection, method, place]);
  if (typeof delta === "string") return { stream, field: "delta", text: delta };
  // Decoded byte by byte, because a character may be split over two deltas.
  return {
    stream,
    field: "deltaBase64",
    text: Buffer.from(deltaBase64 as string, "base64").toString("latin1"),
  };
}

/** Returns whether the entry ends all streams before it. */
function ends(entry: RecordedEntry): boolean {
  if ("closed" in entry) return true;
  if (!("message" in entry)) return false;
  const { method } = entry.message;
  return method === "item/completed" || method === "turn/completed";
}

/** Returns the redacted text of one delta. The placeholder is in the delta in which the secret begins. */
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
