import { searchDecoded } from "./encodings/search.ts";
import { KnownSecrets } from "./known-secrets.ts";
import { isPlaceholder, Placeholders } from "./placeholders.ts";
import { merged, replaceRanges, type Range } from "./range.ts";
import { secretLooking } from "./rules/matcher.ts";
import { unfinishedAt } from "./unfinished.ts";

/** Who sent a text: what this side sends is never forgotten. */
export type Origin = "own" | "peer";

/** What was found in a text. */
export interface Found {
  readonly ranges: Range[];
  /** Texts that may be met again elsewhere, in other encodings. */
  readonly tokens: readonly string[];
}

/**
 * What a recording must not hold: known texts, texts of a known shape, and the caller's patterns, also inside JSON,
 * URLs, base64 and hex.
 */
export class SecretStore {
  readonly known: KnownSecrets = new KnownSecrets();
  readonly #patterns: readonly RegExp[];
  readonly #placeholders = new Placeholders();
  /** Short texts that were looked at and are nothing: names and ids, which come again and again. */
  readonly #harmless = new Set<string>();
  /** How many texts were known when it was last sealed. */
  #sealed = 0;

  constructor(patterns: readonly RegExp[]) {
    this.#patterns = patterns.map(
      ({ source, flags }) => new RegExp(source, [...new Set(`${flags}g`)].join("")),
    );
  }

  /** From the next {@link seal} on this text is found wherever it is, however it is written. */
  learn(secret: string, from: Origin): void {
    if (from === "own") this.known.addOwn(secret);
    else this.known.addOfPeer(secret);
  }

  /** Looks for what was learned from here on. */
  seal(): void {
    if (this.known.added === this.#sealed) return;
    this.#sealed = this.known.added;
    this.known.seal();
    this.#harmless.clear();
  }

  placeholder(secret: string, from: Origin): string {
    return this.#placeholders.of(secret, from === "own" || this.known.isOwn(secret));
  }

  /** The parts of a text that must go, in order and apart from each other, and the tokens among them. */
  find(text: string): Found {
    const tokens: string[] = [];
    const shortestRun = Math.max(8, Math.min(SHORTEST_RUN, Math.ceil((this.known.shortest * 4) / 3)));
    const find = (searched: string): Range[] => this.#plain(searched, tokens);
    return { ranges: merged(searchDecoded(text, { shortestRun, find })), tokens };
  }

  /** The text without what must go. */
  clean(text: string, from: Origin): string {
    if (this.#harmless.has(text)) return text;
    const { ranges, tokens } = this.find(text);
    for (const token of tokens) this.learn(token, from);
    if (ranges.length > 0) return replaceRanges(text, ranges, (secret) => this.placeholder(secret, from));
    if (text.length <= SHORT) {
      if (this.#harmless.size === MOST_HARMLESS) this.#harmless.clear();
      this.#harmless.add(text);
    }
    return text;
  }

  /** Where the end of a text begins that may be a part of something that must go; its length if nowhere. */
  unfinishedAt(text: string): number {
    return Math.min(this.known.unfinishedAt(text), unfinishedAt(text));
  }

  /** What is there to be seen, without decoding anything. */
  #plain(text: string, tokens: string[]): Range[] {
    const found = [...this.known.find(text), ...this.#matching(text)];
    if (text.length < SHORTEST_SHAPE) return found;
    for (const { start, end } of secretLooking(text)) {
      const value = text.slice(start, end);
      if (isPlaceholder(value)) continue;
      found.push({ start, end });
      // A token met once is recognised in other clothes too; a word that only looked like one is not.
      if (value.length >= 12 && value.length <= LONGEST_TOKEN && /\d/.test(value) && /[A-Za-z]/.test(value))
        tokens.push(value);
    }
    return found;
  }

  #matching(text: string): Range[] {
    return this.#patterns.flatMap((pattern) => rangesOf(text, pattern));
  }
}

/** The shortest run of base64 that can hold anything but a known text. */
const SHORTEST_RUN = 16;
/** The shortest text that can have the shape of a secret: `pwd:abc1`, for instance. */
const SHORTEST_SHAPE = 8;
/** What is longer is a file or a key of many lines, and does not come in other clothes. */
const LONGEST_TOKEN = 1_024;
const SHORT = 64;
const MOST_HARMLESS = 4_096;

function rangesOf(text: string, regexp: RegExp): Range[] {
  const ranges: Range[] = [];
  for (const { 0: match, index } of text.matchAll(regexp))
    if (match !== "") ranges.push({ start: index, end: index + match.length });
  return ranges;
}
