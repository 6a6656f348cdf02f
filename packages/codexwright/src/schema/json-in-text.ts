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

/** The maximum number of values to try. A text can contain any number of them, and each one costs a validation. */
const MOST_VALUES = 32;

/**
 * Yields the JSON values of a model's answer in the order in which to try them: the whole text, or else the values in
 * fences, then those in the prose, each in text order. If there are more than 32, only the longest are returned.
 *
 * A value inside another bracket is never returned on its own, because a part of a truncated answer could match the
 * schema of the whole. Nothing is read after an object that does not end. Empty brackets in prose are not values: `[ ]`
 * is a checkbox. The text is read a fixed number of times.
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

/** Returns where values may be. The extents do not overlap. */
export function extentsIn(text: string): Extent[] {
  const extents: Extent[] = [];
  for (const { start, end, fenced } of fenceSegments(text)) {
    if (fenced && parsed(text.slice(start, end))) extents.push({ start, end, fenced });
    else if (!scan(text, start, end, fenced, extents)) break;
  }
  return extents;
}

/** Adds the bracketed extents of a part of the text. Returns false if the next part may be inside one of them. */
function scan(text: string, from: number, to: number, fenced: boolean, extents: Extent[]): boolean {
  let closers: ReadonlyMap<number, number> | undefined;
  for (let at = from; at < to; at++) {
    if (!isOpener(text[at])) continue;
    if (!beginsData(text, at, to)) {
      // Prose in brackets is skipped with its content. For an unclosed bracket, only the bracket is skipped.
      closers ??= closersOf(text, from, to);
      at = closers.get(at) ?? at;
      continue;
    }
    const end = endOf(text, at, to);
    // The rest of this part is inside the unclosed value. The next part may be a fence inside a string of an object.
    // For an array, the bracket was more likely prose: `[0, 1)`.
    if (end === undefined) return !beginsObject(text, at, to);
    if (fenced || !isEmpty(text, at, end)) extents.push({ start: at, end, fenced });
    at = end - 1;
  }
  return true;
}

/**
 * Returns the end of a value by counting brackets outside strings, without checking the grammar. Returns undefined if
 * the value is truncated, or if a string contains a line break: JSON strings cannot, so it is unknown which brackets
 * are in strings.
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

/** Returns the position of the closing quote of a string, or undefined if its line has none. */
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
 * Returns whether the text after the bracket can be data instead of prose: JSON, or something similar such as a
 * JavaScript object or one with comments. Such an object can be truncated too, and the objects in it may be JSON.
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
