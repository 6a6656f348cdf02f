import { ConfigWriteError } from "./write-error.ts";

/** Deeper keys are refused, because the parser refuses tables that deep. */
const MOST_PARTS = 32;

/** A text with half of a character, which no file can contain. */
export const LONE_SURROGATE: RegExp = /\p{Surrogate}/u;

/** Splits the dotted path of a key as Codex does: a part may begin with a text in double quotes. */
export function keysOfPath(path: string): string[] {
  if (path === "") throw ConfigWriteError.invalid("keyPath must not be empty");
  const keys: string[] = [];
  let part = "";
  for (let at = 0; at < path.length; at++) {
    const char = path[at] ?? "";
    if (char === ".") {
      keys.push(part);
      part = "";
      if (keys.length >= MOST_PARTS) {
        throw ConfigWriteError.invalid(`keyPath must have at most ${MOST_PARTS} segments`);
      }
    } else if (char === '"') {
      if (part !== "") throw ConfigWriteError.invalid("invalid quoted keyPath segment");
      for (at++; path[at] !== '"'; at++) {
        if (path[at] === "\\") at++;
        if (at >= path.length) throw ConfigWriteError.invalid("unterminated quoted keyPath segment");
        part += path[at];
      }
    } else {
      part += char;
    }
  }
  keys.push(part);
  if (keys.includes("")) throw ConfigWriteError.invalid("keyPath segments must not be empty");
  if (keys.some((key) => LONE_SURROGATE.test(key))) {
    throw ConfigWriteError.invalid("keyPath must be valid Unicode");
  }
  return keys;
}
