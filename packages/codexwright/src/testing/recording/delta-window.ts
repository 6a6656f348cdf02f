import { isObject, type RecordedEntry, type RecordedMessage } from "./format.ts";
import type { Range } from "./secret-patterns.ts";
import type { SecretStore } from "./secret-store.ts";

/** More than this is not held back: whoever reads along should not wait for ever. */
const MOST_HELD = 1_024;
const MOST_TEXT = 64 * 1024;

/** The text of a delta, and where it belongs. */
interface Delta {
  readonly stream: string;
  readonly field: "delta" | "deltaBase64";
  readonly text: string;
}

interface Held {
  readonly entry: RecordedEntry;
  /** Until the text is known, this entry and all behind it wait. */
  waiting: boolean;
}

interface Segment {
  readonly held: Held;
  readonly params: Record<string, unknown>;
  readonly delta: Delta;
}

/**
 * Lets recorded entries pass in order, but holds deltas back while the end of their text may be the beginning of a
 * secret that the next one finishes. A secret that is split over deltas becomes one placeholder, in the first of them.
 */
export class DeltaWindow {
  readonly #secrets: SecretStore;
  readonly #pass: (entry: RecordedEntry) => void;
  readonly #streams = new Map<string, Segment[]>();
  #held: Held[] = [];

  constructor(secrets: SecretStore, pass: (entry: RecordedEntry) => void) {
    this.#secrets = secrets;
    this.#pass = pass;
  }

  /** Takes the next entry, redacted but for the text of `delta`. */
  push(entry: RecordedEntry, delta: Delta | undefined): void {
    const held: Held = { entry, waiting: delta !== undefined };
    this.#held.push(held);
    if (delta) this.#extend(held, delta);
    else if (ends(entry)) this.#settleAll();
    if (this.#held.length > MOST_HELD) this.#settleAll();
    this.#release();
  }

  /** Nothing more comes: what is held back passes now. */
  flush(): void {
    this.#settleAll();
    this.#release();
  }

  #extend(held: Held, delta: Delta): void {
    const { params } = (held.entry as RecordedMessage).message;
    const segments = this.#streams.get(delta.stream) ?? [];
    segments.push({ held, params: params as Record<string, unknown>, delta });
    this.#streams.set(delta.stream, segments);
    const text = segments.map((segment) => segment.delta.text).join("");
    this.#settle(delta.stream, segments, text.length > MOST_TEXT);
  }

  #settleAll(): void {
    for (const [stream, segments] of this.#streams) this.#settle(stream, segments, true);
  }

  /** Writes the texts that no later delta can change; with `all`, every one. */
  #settle(stream: string, segments: readonly Segment[], all: boolean): void {
    const text = segments.map(({ delta }) => delta.text).join("");
    const ranges = this.#secrets.find(text);
    const last = ranges.at(-1);
    let open = all ? text.length : this.#secrets.unfinishedAt(text);
    if (!all && last?.end === text.length) open = Math.min(open, last.start);
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
          part(text, bound, ranges, (each) => this.#secrets.placeholder(each)),
        );
    }
    if (settled === segments.length) this.#streams.delete(stream);
    else this.#streams.set(stream, segments.slice(settled));
  }

  #write({ held, params, delta }: Segment, text: string): void {
    params[delta.field] = delta.field === "delta" ? text : Buffer.from(text, "latin1").toString("base64");
    held.waiting = false;
  }

  #release(): void {
    const waiting = this.#held.findIndex((held) => held.waiting);
    const free = this.#held.splice(0, waiting === -1 ? this.#held.length : waiting);
    for (const { entry } of free) this.#pass(entry);
  }
}

/** The text that a message adds to a stream, if it does. */
export function deltaOf(connection: number, message: Readonly<Record<string, unknown>>): Delta | undefined {
  const { id, method, params } = message;
  if (id !== undefined || typeof method !== "string" || !isObject(params)) return undefined;
  const { delta, deltaBase64, ...place } = params;
  const stream = JSON.stringify([connection, method, place]);
  if (typeof delta === "string") return { stream, field: "delta", text: delta };
  if (typeof deltaBase64 !== "string") return undefined;
  // Byte by byte: a character may be split between two of them.
  return { stream, field: "deltaBase64", text: Buffer.from(deltaBase64, "base64").toString("latin1") };
}

/** After these nothing is added to what was streamed before, or somebody waits for it. */
function ends(entry: RecordedEntry): boolean {
  if (!("message" in entry)) return true;
  const { id, method } = entry.message;
  return id !== undefined || method === "item/completed" || method === "turn/completed";
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
