import { fenceSegments } from "./fences.ts";

/** A piece of a text that looks like a JSON value. */
export interface Extent {
  readonly start: number;
  readonly end: number;
  /** Inside a Markdown fence. */
  readonly fenced: boolean;
}

/** A JSON value of a text. */
export interface Found {
  readonly value: unknown;
  /** In characters. */
  readonly length: number;
}

/** Values that are tried. A text can hold any number of them, and each one costs a validation. */
const MOST_VALUES = 32;

/**
 * The JSON values of a model's answer, in the order in which they are to be tried: the whole text, or else those in
 * fences, then those in the prose, each in the order of the text. If there are more than 32, the longest.
 *
 * A value inside another bracket is never a value of its own: a part of an answer that was cut off could match the schema
 * of the whole. Nothing is read after an object that does not end. Empty brackets in prose are not values: `[ ]` is a
 * checkbox. It reads the text a fixed number of times.
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

/** Where values may be. The extents do not overlap. */
export function extentsIn(text: string): Extent[] {
  const extents: Extent[] = [];
  for (const { start, end, fenced } of fenceSegments(text)) {
    if (fenced && parsed(text.slice(start, end))) extents.push({ start, end, fenced });
    else if (!scan(text, start, end, fenced, extents)) break;
  }
  return extents;
}

/** Adds the bracketed extents of a part of the text. Returns false if the next part may be inside of one of this part. */
function scan(text: string, from: number, to: number, fenced: boolean, extents: Extent[]): boolean {
  let closers: ReadonlyMap<number, number> | undefined;
  for (let at = from; at < to; at++) {
    if (!isOpener(text[at])) continue;
    if (!beginsData(text, at, to)) {
      // Prose in brackets is skipped with all that is in it; a bracket without an end is skipped alone.
      closers ??= closersOf(text, from, to);
      at = closers.get(at) ?? at;
      continue;
    }
    const end = endOf(text, at, to);
    // What follows in this part is inside of it. The next part can be a fence that a string of an object shows; behind a
    // list it is more likely that the bracket was prose: `[0, 1)`.
    if (end === undefined) return !beginsObject(text, at, to);
    if (fenced || !isEmpty(text, at, end)) extents.push({ start: at, end, fenced });
    at = end - 1;
  }
  return true;
}

/**
 * The end of a value by its brackets, without those in strings. Its grammar is not checked. Undefined if it was cut off,
 * or if a string has a line break, which no JSON string has: which brackets are in strings is then unknown.
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

/** The place of the quote that ends a string; undefined if its line has none. */
function stringEnd(text: string, start: number, to: number): number | undefined {
  for (let at = start + 1; at < to; at++) {
    const char = text[at];
    if (char === '"') return at;
    if (char === "\n") return undefined;
    if (char === "\\") at++;
  }
  return undefined;
}

/** The closing bracket of each opening one, regardless of strings. */
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
 * Whether what follows the bracket can be data and not prose: JSON, or what looks like it and is not, such as an object of
 * a script or one with comments. Such an object can be cut off, too, and the objects in it may be JSON.
 */
function beginsData(text: string, opener: number, to: number): boolean {
  const at = nextPlace(text, opener + 1, to);
  if (at === to) return false;
  if ((text[opener] === "{" ? OBJECT : ARRAY).test(text[at] as string)) return true;
  let end = at;
  while (end < to && NAME.test(text[end] as string)) end++;
  return text[opener] === "{" && end > at && text[nextPlace(text, end, to)] === ":";
}

/** Whether the value is an object or a list of them. */
function beginsObject(text: string, opener: number, to: number): boolean {
  return text[opener] === "{" || text[nextPlace(text, opener + 1, to)] === "{";
}

function isEmpty(text: string, start: number, end: number): boolean {
  return nextPlace(text, start + 1, end) === end - 1;
}

/** The next place that is not white space. */
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
