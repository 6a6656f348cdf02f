import { complement, sizeOf, type CharSet } from "./char-set.ts";
import type { Node } from "./parse-regex.ts";

/** Replaces RE2's unbounded repetitions, so that a match is never longer than a few hundred characters. */
const LONGEST_RUN = 512;

/** Prints the pattern as JavaScript source, without flags. */
export function printRegex(node: Node): string {
  switch (node.type) {
    case "set":
      return printSet(node.set);
    case "sequence":
      return node.parts
        .map((part) => (part.type === "choice" ? `(?:${printRegex(part)})` : printRegex(part)))
        .join("");
    case "choice":
      return node.choices.map(printRegex).join("|");
    case "group":
      return `${node.capture ? "(" : "(?:"}${printRegex(node.body)})`;
    case "look":
      return `(?${node.sign}${printRegex(node.body)})`;
    case "assertion":
      return node.text === String.raw`\z` ? "$" : node.text;
    default: {
      const body = node.body.type === "set" || node.body.type === "group";
      const inner = body ? printRegex(node.body) : `(?:${printRegex(node.body)})`;
      return `${inner}${printCount(node.min, node.max)}${node.lazy ? "?" : ""}`;
    }
  }
}

function printCount(min: number, max: number): string {
  const most = max === Infinity ? Math.max(min * 2, LONGEST_RUN) : max;
  if (min === 0 && most === 1) return "?";
  if (min === most) return min === 1 ? "" : `{${min}}`;
  return `{${min},${most}}`;
}

function printSet(set: CharSet): string {
  const [first] = set;
  if (sizeOf(set) === 1 && first) return printCharacter(first[0], false);
  const inverse = complement(set);
  // Almost all of Unicode: print the complement instead.
  if (set.at(-1)?.[1] === 0xff_ff)
    return inverse.length === 0 ? "[^]" : `[^${inverse.map(printRange).join("")}]`;
  return `[${set.map(printRange).join("")}]`;
}

function printRange([low, high]: readonly [number, number]): string {
  const [a, b] = [printCharacter(low, true), printCharacter(high, true)];
  if (low === high) return a;
  return high === low + 1 ? `${a}${b}` : `${a}-${b}`;
}

function printCharacter(code: number, inSet: boolean): string {
  const character = String.fromCharCode(code);
  const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f" };
  if (named[character] !== undefined) return named[character];
  // A backtick would end the template literal that contains the pattern.
  if (code < 0x20 || code > 0x7e || character === "`")
    return code > 0xff
      ? `\\u${code.toString(16).padStart(4, "0")}`
      : `\\x${code.toString(16).padStart(2, "0")}`;
  const special = inSet ? /[\]\\^-]/ : /[\\^$.*+?()[\]{}|/]/;
  return special.test(character) ? `\\${character}` : character;
}
