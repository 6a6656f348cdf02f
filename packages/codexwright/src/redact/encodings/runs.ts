import type { Range } from "../range.ts";

/** Text decoded from an encoded run, with the range of the whole run. */
export interface Decoded extends Range {
  readonly text: string;
}

/** Shorter decoded text is ignored, because it may be readable by chance. */
export const SHORTEST_DECODED = 6;

const BASE64_RUN = /[A-Za-z0-9+/_-]{8,}={0,2}/g;
const HEX_RUN = /[0-9A-Fa-f]{12,}/g;
/** Matches a line break, also inside JSON, a diff or a quotation. */
const LINE_END = /^(?:\r?\n|\\r\\n|\\n)[ \t>+-]{0,8}$/;
const LAST_LINE = /(?:\r?\n|\\r\\n|\\n)[ \t>]{0,8}([+-]?[A-Za-z0-9+/_-]{1,11}={0,2})(?![\w+/=-])/y;
/** A shorter line of base64 does not continue on the next line. */
const SHORTEST_LINE = 32;

/** The values of the base64 characters, in both alphabets. */
const SIXES = new Uint8Array(128);
const SHARED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
for (const alphabet of [`${SHARED}+/`, `${SHARED}-_`])
  for (let value = 0; value < alphabet.length; value++) SIXES[alphabet.charCodeAt(value)] = value;

/**
 * Yields the readable texts in all runs of base64 and hex, at every offset at which the encoding may begin. Each
 * character is decoded at most six times.
 *
 * @param shortest the minimum length of a run
 */
export function* decodedRuns(text: string, shortest: number): Generator<Decoded> {
  for (const run of runsOf(text, BASE64_RUN, shortest)) {
    const characters = joined(run.parts);
    for (let offset = 0; offset < 4; offset++)
      for (const stretch of readable(fromBase64(characters, offset)))
        yield { text: stretch, start: run.start, end: run.end };
  }
  for (const run of runsOf(text, HEX_RUN, shortest)) {
    const characters = joined(run.parts);
    for (let offset = 0; offset < 2; offset++)
      for (const stretch of readable(fromHex(characters, offset)))
        yield { text: stretch, start: run.start, end: run.end };
  }
}

interface Run extends Range {
  readonly parts: readonly string[];
}

/** Yields runs of base64 or hex. The lines of a wrapped run are joined into one run. */
function* runsOf(text: string, pattern: RegExp, shortest: number): Generator<Run> {
  let open: { start: number; end: number; parts: string[] } | undefined;
  for (const { 0: part, index } of text.matchAll(pattern)) {
    const end = index + part.length;
    if (open && goesOn(text, open.end, index, open.parts.at(-1) ?? "")) {
      open.parts.push(part);
      open.end = end;
      continue;
    }
    if (open && open.end - open.start >= shortest) yield withLastLine(text, open);
    open = { start: index, end, parts: [part] };
  }
  if (open && open.end - open.start >= shortest) yield withLastLine(text, open);
}

/** Adds the last line, which may be too short to count as a run by itself. */
function withLastLine(text: string, run: Run): Run {
  LAST_LINE.lastIndex = run.end;
  const [end, line] = LAST_LINE.exec(text) ?? [];
  if (end === undefined || line === undefined) return run;
  const from = run.end + end.length - line.length;
  if (!goesOn(text, run.end, from, run.parts.at(-1) ?? "")) return run;
  return { start: run.start, end: run.end + end.length, parts: [...run.parts, line] };
}

function goesOn(text: string, from: number, to: number, line: string): boolean {
  const marked = isMarked(line) && line.length % 4 === 1;
  // In a diff, all lines of a run have the same sign, `+` or `-`.
  if (marked && text[to] !== line[0]) return false;
  const length = marked ? line.length - 1 : line.length;
  if (to - from > 10 || length < SHORTEST_LINE || length % 4 !== 0 || line.endsWith("=")) return false;
  return LINE_END.test(text.slice(from, to));
}

/** Joins the lines of a run, without the diff signs in front of them. */
function joined(parts: readonly string[]): string {
  if (parts.length === 1) return parts[0] ?? "";
  const marked = parts.every(isMarked) && new Set(parts.map((part) => part.charAt(0))).size === 1;
  return (marked ? parts.map((part) => part.slice(1)) : parts).join("");
}

function isMarked(line: string): boolean {
  return line.startsWith("+") || line.startsWith("-");
}

function fromBase64(text: string, offset: number): Uint8Array {
  const bytes = new Uint8Array(Math.floor(((text.length - offset) * 3) / 4));
  let [bits, have, length] = [0, 0, 0];
  for (let at = offset; at < text.length; at++) {
    bits = ((bits << 6) | (SIXES[text.charCodeAt(at)] ?? 0)) & 0xff_ff;
    have += 6;
    if (have < 8) continue;
    have -= 8;
    bytes[length++] = bits >> have;
  }
  return bytes;
}

function fromHex(text: string, offset: number): Uint8Array {
  const bytes = new Uint8Array((text.length - offset) >> 1);
  for (let at = 0; at < bytes.length; at++) {
    const place = offset + 2 * at;
    bytes[at] = (nibble(text.charCodeAt(place)) << 4) | nibble(text.charCodeAt(place + 1));
  }
  return bytes;
}

function nibble(code: number): number {
  return (code & 15) + (code >> 6) * 9;
}

/** Yields the stretches of printable characters and white space. */
function* readable(bytes: Uint8Array): Generator<string> {
  let start = 0;
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
    if (at - start >= SHORTEST_DECODED) yield asciiText(bytes.subarray(start, at));
    start = at + 1;
  }
}

const decoder = new TextDecoder();

function asciiText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
