import { mapEscapes, type Mapped } from "./mapped.ts";

const JSON_ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/g;
const PERCENT = /%[0-9a-fA-F]{2}/g;
const LETTERS: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Removes one level of JSON escaping. Returns undefined if nothing is escaped. */
export function jsonUnescaped(text: string): Mapped | undefined {
  if (!text.includes("\\")) return undefined;
  return mapEscapes(text, JSON_ESCAPE, (escape) => {
    const letter = escape.charAt(1);
    if (letter === "u") return String.fromCharCode(Number.parseInt(escape.slice(2), 16));
    return LETTERS[letter] ?? letter;
  });
}

/** Removes one level of percent-encoding, one character for each byte. Returns undefined if nothing is encoded. */
export function percentDecoded(text: string): Mapped | undefined {
  if (!text.includes("%")) return undefined;
  return mapEscapes(text, PERCENT, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
}
