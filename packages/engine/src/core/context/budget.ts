import { utf8 } from "../bytes.ts";
import { cutNote } from "../instructions/notes.ts";
import type { WireObject } from "../wire-object.ts";

/** The most tokens of one tool output in a request. Tools cut their own outputs at 10,000 tokens of content. */
export const OUTPUT_TOKENS = 12_000;
/** A token is about four bytes. */
export const TOKEN_BYTES = 4;
/** The most parts of one output. Parts without text take room, too. */
const MOST_PARTS = 1_000;
/** Room for the note in the middle, so that a text that was cut fits and is not cut again. */
const NOTE_BYTES = 80;

/** Returns the text within its budget. Keeps its head and its tail, and notes how much is missing between them. */
export function cut(text: string, tokens: number): string {
  const most = tokens * TOKEN_BYTES;
  // A UTF-16 unit is at most three bytes of UTF-8.
  if (text.length * 3 <= most) return text;
  const bytes = text.length > most ? text.length : utf8(text).length;
  if (bytes <= most) return text;
  const half = Math.max(0, Math.floor((most - NOTE_BYTES) / 2));
  const head = headOf(text, half);
  const tail = tailOf(text, half);
  const left = Math.ceil((text.length - head.length - tail.length) / TOKEN_BYTES);
  return `${head}${cutNote(left)}${tail}`;
}

/** Returns a tool's output within its budget. Texts share the budget, and images stay. */
export function cutOutput(
  output: string | readonly WireObject[],
  tokens: number = OUTPUT_TOKENS,
): string | readonly WireObject[] {
  if (typeof output === "string") return cut(output, tokens);
  let left = tokens * TOKEN_BYTES;
  return output.slice(0, MOST_PARTS).flatMap((part) => {
    if (typeof part["text"] !== "string") return [part];
    // The rest of a list whose budget is used up is too short for a note of its own.
    if (left < NOTE_BYTES && part["text"].length > left) return [];
    const text = cut(part["text"], Math.floor(left / TOKEN_BYTES));
    left -= utf8(text).length;
    return [text === part["text"] ? part : { ...part, text }];
  });
}

/** The longest beginning of the text that has at most this many bytes and does not end within a character. */
function headOf(text: string, bytes: number): string {
  let size = 0;
  let end = 0;
  for (const character of text.slice(0, bytes)) {
    size += utf8(character).length;
    if (size > bytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function tailOf(text: string, bytes: number): string {
  const end = text.slice(Math.max(0, text.length - bytes));
  let excess = utf8(end).length - bytes;
  let start = 0;
  for (const character of end) {
    const first = start === 0 && /^[\uDC00-\uDFFF]/.test(character);
    if (excess <= 0 && !first) break;
    excess -= utf8(character).length;
    start += character.length;
  }
  return end.slice(start);
}
