import { stripVTControlCharacters } from "node:util";

/** Marks that make a terminal show text in another order than it has. */
const REORDERING = /[\u202A-\u202E\u2066-\u2069]/g;

/** Text that is safe to print: a command's or a model's own control sequences must not reach the terminal. */
export function clean(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll("\r\n", "\n")
    .replaceAll(/[^\P{Cc}\n\t]/gu, "")
    .replaceAll(REORDERING, "");
}

/**
 * Text that somebody decides on, or that was executed: as safe to print, but nothing of it is left out. What stands
 * between ESC and BEL a terminal would not show, and a shell would run.
 */
export function visible(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, picture).replaceAll(REORDERING, picture);
}

/** `␛` for ESC, `<U+009B>` for what has no picture. */
function picture(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x24_00 + code);
  return code === 0x7f ? "␡" : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** JSON that is safe to print as well: controls beyond ASCII's and marks of order are escaped, which means the same. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(
    /[\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The lines of a text, without the empty ones at its end. */
export function linesOf(text: string): string[] {
  let end = text.length;
  while (text[end - 1] === "\n") end--;
  return end === 0 ? [] : text.slice(0, end).split("\n");
}
