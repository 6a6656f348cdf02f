import { charactersOf, type CharSet } from "../../../../../scripts/gitleaks/char-set.ts";
import { parseRegex, type Node } from "../../../../../scripts/gitleaks/parse-regex.ts";
import { entropyOf } from "../../../src/redact/rules/entropy.ts";
import { KINDS } from "../../../src/redact/rules/kinds.ts";
import type { Shape } from "../../../src/redact/rules/shape.ts";

/** A text with a secret in it. */
export interface Sample {
  readonly kind: string;
  readonly text: string;
  readonly secret: string;
}

/** Returns numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

const trees = new Map<string, Node>();

/** Returns one sample of every kind in the table. A kind that is added to the table is tested automatically. */
export function samplesOf(seed: number): Sample[] {
  const next = random(seed);
  return KINDS.map((shape) => sampleOf(shape, next));
}

function sampleOf(shape: Shape, next: () => number): Sample {
  const { kind, samples, entropy = 0, keywords } = shape;
  const sources = samples ?? [shape.pattern.source];
  const source = sources[Math.floor(next() * sources.length)] ?? "";
  const tree = trees.get(source) ?? parseRegex(source);
  trees.set(source, tree);
  for (let attempt = 0; attempt < 200; attempt++) {
    const groups: string[] = [];
    let text = write(tree, next, groups);
    const whole = !samples && shape.group === 0;
    const group = samples ? groups[1] : (groups[shape.group ?? 0] ?? groups.find((each) => each));
    const secret = whole ? text : (group ?? text);
    // If a rule needs a keyword nearby, the sample gets one.
    if (!samples && !keywords.some((each) => text.toLowerCase().includes(each)))
      text = `${keywords[0]} ${text}`;
    if (entropyOf(secret) > entropy + 0.1 && (samples ?? holds(shape, text))) return { kind, text, secret };
  }
  throw new Error(`no sample of ${kind}`);
}

/** Returns whether the shape's `holds` predicate, if it has one, accepts the text. */
function holds({ holds: is, pattern }: Shape, text: string): boolean {
  const match = pattern.exec(text);
  return !is || (match !== null && is(match));
}

/** Generates a text that matches a pattern. `groups` receives the captures; index 0 is the whole match. */
function write(node: Node, next: () => number, groups: string[]): string {
  switch (node.type) {
    case "assertion":
    case "look":
      return "";
    case "set":
      return pick(node.set, next);
    case "sequence":
      return node.parts.map((part) => write(part, next, groups)).join("");
    case "choice": {
      const choice = node.choices[Math.floor(next() * node.choices.length)];
      return choice ? write(choice, next, groups) : "";
    }
    case "repeat": {
      const spread = Math.min(node.max, node.min === 0 ? 2 : node.min + 20) - node.min;
      const count = node.min + Math.floor(next() * (spread + 1));
      return Array.from({ length: count }, () => write(node.body, next, groups)).join("");
    }
    default: {
      const at = Math.max(1, groups.length);
      if (node.capture) groups[at] = "";
      const text = write(node.body, next, groups);
      if (node.capture) groups[at] = text;
      return text;
    }
  }
}

const choices = new WeakMap<CharSet, readonly (readonly string[])[]>();

/** The characters of a set: letters and digits, with punctuation, with spaces, and all of them. */
function choicesOf(set: CharSet): readonly (readonly string[])[] {
  const known = choices.get(set);
  if (known) return known;
  const all = charactersOf(set.filter(([low]) => low < 127).map(([low, high]) => [low, Math.min(high, 126)]));
  const fit = [/[A-Za-z0-9]/, /[!-~]/, / /, /[^]/].map((wanted) => all.filter((each) => wanted.test(each)));
  choices.set(set, fit);
  return fit;
}

/** Prefers letters and digits to punctuation, punctuation to spaces, and avoids control characters. */
function pick(set: CharSet, next: () => number): string {
  const fit = choicesOf(set);
  for (const [rank, characters] of fit.entries()) {
    const character = characters[Math.floor(next() * characters.length)];
    if (character !== undefined && (rank === fit.length - 1 || next() < 0.85)) return character;
  }
  return "";
}
