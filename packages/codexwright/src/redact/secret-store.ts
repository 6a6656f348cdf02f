import { searchDecoded } from "./encodings/search.ts";
import { KnownSecrets } from "./known-secrets.ts";
import { isPlaceholder, Placeholders } from "./placeholders.ts";
import { merged, replaceRanges, type Range } from "./range.ts";
import { secretLooking } from "./rules/matcher.ts";
import { unfinishedAt } from "./unfinished.ts";

/** Who sent a text. Secrets that this side sends are never forgotten. */
export type Origin = "own" | "peer";

/** The result of a search in a text. */
export interface Found {
  readonly ranges: Range[];
  /** Secrets that may appear again elsewhere, in other encodings. */
  readonly tokens: readonly string[];
}

/**
 * Finds the texts that a recording must not contain: known secrets, texts that have the shape of a secret, and matches
 * of the caller's patterns. Also finds them inside JSON, URLs, base64 and hex.
 */
export class SecretStore {
  readonly known: KnownSecrets = new KnownSecrets();
  readonly #patterns: readonly RegExp[];
  readonly #placeholders = new Placeholders();
  /** Short texts without secrets, such as names and ids. They repeat often, so they are not searched again. */
  readonly #harmless = new Set<string>();
  /** How many texts were known at the last {@link seal}. */
  #sealed = 0;

  constructor(patterns: readonly RegExp[]) {
    this.#patterns = patterns.map(
      ({ source, flags }) => new RegExp(source, [...new Set(`${flags}g`)].join("")),
    );
  }

  /** After the next {@link seal}, this text is found everywhere and in every encoding. */
  learn(secret: string, from: Origin): void {
    if (from === "own") this.known.addOwn(secret);
    else this.known.addOfPeer(secret);
  }

  /** Makes learned texts searchable. */
  seal(): void {
    if (this.known.added === this.#sealed) return;
    this.#sealed = this.known.added;
    this.known.seal();
    this.#harmless.clear();
  }

  placeholder(secret: string, from: Origin): string {
    return this.#placeholders.of(secret, from === "own" || this.known.isOwn(secret));
  }

  /** Returns the parts of a text that must be removed, sorted and without overlaps, and the tokens among them. */
  find(text: string): Found {
    const tokens: string[] = [];
    const shortestRun = Math.max(8, Math.min(SHORTEST_RUN, Math.ceil((this.known.shortest * 4) / 3)));
    const find = (searched: string): Range[] => this.#plain(searched, tokens);
    return { ranges: merged(searchDecoded(text, { shortestRun, find })), tokens };
  }

  /** Returns the text with secrets replaced by placeholders. */
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

  /**
   * Returns the position from which the end of a text may be the beginning of a secret. If there is no such position,
   * returns the length of the text.
   */
  unfinishedAt(text: string): number {
    return Math.min(this.known.unfinishedAt(text), unfinishedAt(text));
  }

  /** Searches the text as it is, without decoding. */
  #plain(text: string, tokens: string[]): Range[] {
    const found = [...this.known.find(text), ...this.#matching(text)];
    if (text.length < SHORTEST_SHAPE) return found;
    for (const { start, end } of secretLooking(text)) {
      const value = text.slice(start, end);
      if (isPlaceholder(value)) continue;
      found.push({ start, end });
      // A real token is also searched for in other encodings; a word that only looks like a token is not.
      if (value.length >= 12 && value.length <= LONGEST_TOKEN && /\d/.test(value) && /[A-Za-z]/.test(value))
        tokens.push(value);
    }
    return found;
  }

  #matching(text: string): Range[] {
    return this.#patterns.flatMap((pattern) => rangesOf(text, pattern));
  }
}

/** The minimum length of a base64 run that is decoded. If a known secret is shorter, shorter runs are decoded too. */
const SHORTEST_RUN = 16;
/** The length of the shortest text that can have the shape of a secret, such as `pwd:abc1`. */
const SHORTEST_SHAPE = 8;
/** Longer values are not searched for in other encodings: they are usually whole files or multi-line keys. */
const LONGEST_TOKEN = 1_024;
const SHORT = 64;
const MOST_HARMLESS = 4_096;

function rangesOf(text: string, regexp: RegExp): Range[] {
  const ranges: Range[] = [];
  for (const { 0: match, index } of text.matchAll(regexp))
    if (match !== "") ranges.push({ start: index, end: index + match.length });
  return ranges;
}
