import { FormIndex } from "./form-index.ts";
import { formsOf } from "./secret-forms.ts";
import { secretLooking, unfinishedAt, type Range } from "./secret-patterns.ts";

/**
 * What a recording must not hold: known texts in all their forms, texts of a known shape, and the caller's patterns.
 * The same text always gets the same placeholder, and different ones different placeholders, so that a recording
 * without its secrets still tells which of them are equal.
 */
export class SecretStore {
  readonly #patterns: readonly RegExp[];
  readonly #placeholders = new Map<string, string>();
  readonly #known = new Set<string>();
  /** The forms of all known secrets. */
  readonly #forms = new FormIndex();
  /** Short texts that were looked at and are nothing: names and ids, which come again and again. */
  readonly #harmless = new Set<string>();

  constructor(patterns: readonly RegExp[]) {
    this.#patterns = patterns.map(
      ({ source, flags }) => new RegExp(source, [...new Set(`${flags}g`)].join("")),
    );
  }

  /** How many texts are known. */
  get size(): number {
    return this.#known.size;
  }

  /**
   * Knows a text that came over the wire, up to a number of them: a peer that makes up secrets must not make every text
   * a long search. What has the look or the place of a secret goes without being known.
   */
  learn(secret: string): void {
    if (this.#known.size < MOST_LEARNED && secret.length <= LONGEST_LEARNED) this.know(secret);
  }

  /** From here on this text is found wherever it is, however it is written. */
  know(secret: string): void {
    if (this.#known.has(secret)) return;
    this.#known.add(secret);
    this.#harmless.clear();
    for (const form of formsOf(secret)) this.#forms.add(form);
  }

  placeholder(secret: string): string {
    let name = this.#placeholders.get(secret);
    if (name === undefined) {
      name = `[redacted:${this.#placeholders.size + 1}]`;
      this.#placeholders.set(secret, name);
    }
    return name;
  }

  /** The parts of a text that must go, in order and apart from each other. */
  find(text: string): Range[] {
    const found = [...this.#forms.find(text), ...this.#matching(text)];
    for (const { start, end } of secretLooking(text)) {
      const value = text.slice(start, end);
      if (isPlaceholder(value)) continue;
      found.push({ start, end });
      // A token met once is recognised in other clothes too; a word that only looked like one is not.
      if (value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value)) this.learn(value);
    }
    return merged(found);
  }

  /** The text without what must go. */
  clean(text: string): string {
    if (this.#harmless.has(text)) return text;
    const ranges = this.find(text);
    if (ranges.length > 0) return replaceRanges(text, ranges, (secret) => this.placeholder(secret));
    if (text.length <= SHORT) {
      if (this.#harmless.size === MOST_HARMLESS) this.#harmless.clear();
      this.#harmless.add(text);
    }
    return text;
  }

  /** Where the end of a text begins that may be a part of something that must go; its length if nowhere. */
  unfinishedAt(text: string): number {
    return Math.min(this.#forms.unfinishedAt(text), unfinishedAt(text));
  }

  #matching(text: string): Range[] {
    return this.#patterns.flatMap((pattern) => rangesOf(text, pattern));
  }
}

const MOST_LEARNED = 2_048;
const LONGEST_LEARNED = 16_384;
const SHORT = 64;
const MOST_HARMLESS = 4_096;
const PLACEHOLDER = /^\[redacted:\d+\]$/;

export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

export function replaceRanges(
  text: string,
  ranges: readonly Range[],
  replacement: (part: string) => string,
): string {
  if (ranges.length === 0) return text;
  let out = "";
  let from = 0;
  for (const { start, end } of ranges) {
    out += text.slice(from, start) + replacement(text.slice(start, end));
    from = end;
  }
  return out + text.slice(from);
}

function rangesOf(text: string, regexp: RegExp): Range[] {
  const ranges: Range[] = [];
  for (const { 0: match, index } of text.matchAll(regexp))
    if (match !== "") ranges.push({ start: index, end: index + match.length });
  return ranges;
}

/** Parts that overlap become one: what is left of the other would be a part of a secret. */
function merged(ranges: readonly Range[]): Range[] {
  if (ranges.length < 2) return [...ranges];
  const out: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = out.at(-1);
    if (last && range.start < last.end)
      out[out.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else out.push(range);
  }
  return out;
}
