import { stripVTControlCharacters } from "node:util";

/** Text that is safe to print: a command's or a model's own control sequences must not reach the terminal. */
export function clean(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll("\r\n", "\n")
    .replaceAll(/[^\P{Cc}\n\t]/gu, "");
}

/** The lines of a text, without the empty ones at its end. */
export function linesOf(text: string): string[] {
  const body = text.replace(/\n+$/, "");
  return body === "" ? [] : body.split("\n");
}
