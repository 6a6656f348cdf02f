import { merged, type Range } from "../range.ts";
import { Automaton } from "../search/automaton.ts";
import { entropyOf } from "./entropy.ts";
import { KINDS } from "./kinds.ts";
import { keyRests } from "./private-keys.ts";
import type { Shape } from "./shape.ts";

/** How many characters before and after a keyword are searched with a `near` pattern. */
const NEAR_BEFORE = 128;
const NEAR_AFTER = 256;
/** Token characters directly after a match belong to the match. */
const TOKEN_REST = /\w[\w+/=-]*/y;

/**
 * Finds secrets by their shapes. One pass over the text finds all keywords. After that, only the patterns whose
 * keywords were found are tried.
 */
class Matcher {
  readonly #keywords: Automaton;
  /** For each keyword, the shapes that use it. Includes the shapes of shorter keywords that it ends with. */
  readonly #uses: readonly (readonly { readonly shape: number; readonly length: number }[])[];
  readonly #patterns: (RegExp | undefined)[] = [];

  constructor() {
    const keywords = [...new Set(KINDS.flatMap((each) => each.keywords))];
    this.#keywords = new Automaton(keywords, { steps: 0 }, true);
    const own = keywords.map((keyword) =>
      KINDS.flatMap(({ keywords: all }, shape) =>
        all.includes(keyword) ? [{ shape, length: keyword.length }] : [],
      ),
    );
    this.#uses = keywords.map((keyword, index) =>
      [index, ...this.#keywords.shorter(keyword)].flatMap((each) => own[each] ?? []),
    );
  }

  hasKeyword(text: string): boolean {
    let found = false;
    this.#keywords.each(text, () => void (found = true));
    return found;
  }

  find(text: string): Range[] {
    const hits = this.#hits(text);
    const found: Range[] = [];
    for (const [index, places] of hits) {
      const shape = KINDS[index];
      if (!shape) continue;
      if (shape.where === "at") this.#at(text, index, shape, places, found);
      else if (shape.where === "near") this.#near(text, index, shape, places, found);
      else this.#all(text, 0, index, shape, found);
    }
    return text.includes("PRIVATE KEY") ? [...found, ...keyRests(text)] : found;
  }

  /**
   * Returns the positions at which the keywords of each shape begin. For a `text` shape, returns only the first
   * position.
   */
  #hits(text: string): Map<number, number[]> {
    const hits = new Map<number, number[]>();
    this.#keywords.each(text, (keyword, _, end) => {
      for (const { shape, length } of this.#uses[keyword] ?? []) {
        const places = hits.get(shape);
        if (!places) hits.set(shape, [end - length]);
        else if (KINDS[shape]?.where !== "text" && places.at(-1) !== end - length) places.push(end - length);
      }
    });
    return hits;
  }

  #at(text: string, index: number, shape: Shape, places: readonly number[], found: Range[]): void {
    const pattern = this.#pattern(index, shape, "y");
    let done = 0;
    for (const place of places) {
      if (place < done) continue;
      pattern.lastIndex = place;
      const range = rangeOf(text, pattern.exec(text), shape);
      if (!range) continue;
      found.push(range);
      done = range.end;
    }
  }

  #near(text: string, index: number, shape: Shape, places: readonly number[], found: Range[]): void {
    const windows = merged(
      places.map((place) => ({
        start: Math.max(0, place - NEAR_BEFORE),
        end: Math.min(text.length, place + NEAR_AFTER),
      })),
    );
    for (const { start, end } of windows) this.#all(text.slice(start, end), start, index, shape, found);
  }

  #all(text: string, offset: number, index: number, shape: Shape, found: Range[]): void {
    const pattern = this.#pattern(index, shape, "g");
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const range = rangeOf(text, match, shape);
      if (range) found.push({ start: offset + range.start, end: offset + range.end });
      else if (shape.again) pattern.lastIndex = match.indices?.[shape.group ?? 0]?.[0] ?? pattern.lastIndex;
    }
  }

  #pattern(index: number, { pattern }: Shape, flag: "g" | "y"): RegExp {
    return (this.#patterns[index] ??= new RegExp(pattern, pattern.flags + flag));
  }
}

function rangeOf(text: string, match: RegExpExecArray | null, shape: Shape): Range | undefined {
  if (!match) return undefined;
  const { group, entropy = 0, holds } = shape;
  const at =
    match.indices?.[
      group ??
        Math.max(
          0,
          match.findIndex((each, index) => index > 0 && !!each),
        )
    ];
  if (!at || (holds && !holds(match))) return undefined;
  const [start, end] = at;
  if (entropy > 0 && entropyOf(text.slice(start, end)) <= entropy) return undefined;
  if (shape.where === "text" && !shape.again) return { start, end };
  TOKEN_REST.lastIndex = end;
  return { start, end: TOKEN_REST.test(text) ? TOKEN_REST.lastIndex : end };
}

let matcher: Matcher | undefined;

/** Returns the ranges of a text that look like secrets. */
export function secretLooking(text: string): Range[] {
  matcher ??= new Matcher();
  return matcher.find(text);
}

/** Returns whether a text contains a keyword of any shape. */
export function hasKeyword(text: string): boolean {
  matcher ??= new Matcher();
  return matcher.hasKeyword(text);
}
