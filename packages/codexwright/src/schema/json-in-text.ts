import { fenceSegments } from "./fences.ts";

/** A part of a text that looks like a JSON value. */
export interface Extent {
  readonly start: number;
  readonly end: number;
  /** True if it is inside a Markdown fence. */
  readonly fenced: boolean;
}

/** A JSON value found in a text. */
export interface Found {
  readonly value: unknown;
  /** In characters. */
  readonly length: number;
}

/** The maximum number of values to try. A text can contain any number of values, and each value costs a validation. */
const MOST_VALUES = 32;

/**
 * Yields the JSON values in a model's answer, in the order in which to try them. If the whole text is JSON, yields only
 * that value. Otherwise yields the values in Markdown fences, then the values in the prose, each in text order. If
 * there are more than 32, yields only the longest.
 *
 * A value that is nested inside another bracket is never yielded on its own, because a part of a truncated answer could
 * match the schema of the whole. If an object is not closed, the text after its start is ignored. Empty brackets in
 * prose are not values: `[ ]` is a checkbox. The text is read a fixed number of times.
 */
export function* jsonIn(text: string): Generator<Found, void, undefined> {
  const whole = parsed(text);
  if (whole) yield { ...whole, length: text.length };
  const extents = whole ? [] : extentsIn(text);
  const longest = extents.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MOST_VALUES);
  const kept = longest.toSorted((a, b) => Number(b.fenced) - Number(a.fenced) || a.start - b.start);
  for (const { start, end } of kept) {
    const value = parsed(text.slice(start, end));
    if (value) yield { ...value, length: end - start };
  }
}

/** Returns the parts of the text that may be JSON values. The parts do not overlap. */
export function extentsIn(text: string): Extent[] {
  const extents: Extent[] = [];
  for (const { start, end, fenced } of fenceSegments(text)) {
    if (fenced && parsed(text.slice(start, end))) extents.push({ start, end, fenced });
    else if (!scan(text, start, end, fenced, extents)) break;
  }
  return extents;
}

/**
 * Adds the bracketed extents in one part of the text. Returns false if the next part may be inside one of these
 * brackets.
 */
function scan(text: string, from: number, to: number, fenced: boolean, extents: Extent[]): boolean {
  let closers: ReadonlyMap<number, number> | undefined;
  for (let at = from; at < to; at++) {
    if (!isOpener(text[at])) continue;
    if (!beginsData(text, at, to)) {
      // If the bracket encloses prose, skip it and its content. If the bracket is never closed, skip only the bracket.
      closers ??= closersOf(text, from, to);
      at = closers.get(at) ?? at;
      continue;
    }
    const end = endOf(text, at, to);
    // The value is not closed, so the rest of this part is inside it. If it is an object, the next part may be a fence
    // in one of its strings. If it is an array, the bracket was more likely prose: `[0, 1)`.
    if (end === undefined) return !beginsObject(text, at, to);
    if (fenced || !isEmpty(text, at, end)) extents.push({ start: at, end, fenced });
    at = end - 1;
  }
  return true;
}

/**
 * Returns the end of a value. Counts the brackets outside strings and does not check the grammar. Returns undefined if
 * the value is truncated, or if a string contains a line break. JSON strings cannot contain line breaks, so it is then
 * unknown which brackets are inside strings.
 */
function endOf(text: string, start: number, to: number): number | undefined {
  let depth = 0;
  for (let at = start; at < to; at++) {
    const char = text[at];
    if (char === '"') {
      const end = stringEnd(text, at, to);
      if (end === undefined) return undefined;
      at = end;
    } else if (isOpener(char)) depth++;
    else if (isCloser(char) && --depth === 0) return at + 1;
  }
  return undefined;
}

/** Returns the position of the closing quote of a string, or undefined if there is none on the same line. */
function stringEnd(text: string, start: number, to: number): number | undefined {
  for (let at = start + 1; at < to; at++) {
    const char = text[at];
    if (char === '"') return at;
    if (char === "\n") return undefined;
    if (char === "\\") at++;
  }
  return undefined;
}

/** Maps each opening bracket to its closing one, ignoring strings. */
function closersOf(text: string, from: number, to: number): Map<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  for (let at = from; at < to; at++) {
    if (isOpener(text[at])) open.push(at);
    else if (isCloser(text[at])) {
      const opener = open.pop();
      if (opener !== undefined) closers.set(opener, at);
    }
  }
  return closers;
}

const OBJECT = /[}"'/]/;
const ARRAY = /[\]"'{[\d\-tfn]/;
const SPACE = /\s/;
const NAME = /[\w$]/;

/**
 * Returns whether the text after the bracket can be data instead of prose: JSON, or something similar, such as a
 * JavaScript object or JSON with comments. Such data can be truncated too, and may contain objects that are valid JSON.
 */
function beginsData(text: string, opener: number, to: number): boolean {
  const at = nextPlace(text, opener + 1, to);
  if (at === to) return false;
  if ((text[opener] === "{" ? OBJECT : ARRAY).test(text[at] as string)) return true;
  let end = at;
  while (end < to && NAME.test(text[end] as string)) end++;
  return text[opener] === "{" && end > at && text[nextPlace(text, end, to)] === ":";
}

/** Returns whether the value is an object or an array of objects. */
function beginsObject(text: string, opener: number, to: number): boolean {
  return text[opener] === "{" || text[nextPlace(text, opener + 1, to)] === "{";
}

function isEmpty(text: string, start: number, end: number): boolean {
  return nextPlace(text, start + 1, end) === end - 1;
}

/** Returns the next position that is not white space. */
function nextPlace(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && SPACE.test(text[at] as string)) at++;
  return at;
}

function isOpener(char: string | undefined): boolean {
  return char === "{" || char === "[";
}

function isCloser(char: string | undefined): boolean {
  return char === "}" || char === "]";
}

function sizeOf({ start, end }: Extent): number {
  return end - start;
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
