import { charactersOf, sizeOf } from "./char-set.ts";
import type { Node } from "./parse-regex.ts";

/** Possible beginnings of a pattern's matches, in lower case. After an open prefix, any text may follow. */
interface Prefixes {
  readonly closed: readonly string[];
  readonly open: readonly string[];
}

const MOST = 24;
const LONGEST = 16;
const EMPTY: Prefixes = { closed: [""], open: [] };

/**
 * Returns prefixes such that every match begins with one of them, or undefined if a prefix would be shorter than two
 * characters.
 */
export function prefixesOf(node: Node): string[] | undefined {
  const { closed, open } = expand(node);
  const all = [...new Set([...closed, ...open])];
  const needed = all.filter((each) => !all.some((other) => other !== each && each.startsWith(other)));
  return needed.some((each) => each.length < 2) ? undefined : needed.toSorted();
}

function expand(node: Node): Prefixes {
  switch (node.type) {
    case "assertion":
    case "look":
      return EMPTY;
    case "group":
      return expand(node.body);
    case "choice":
      return joined(node.choices.map(expand));
    case "set": {
      if (sizeOf(node.set) > 8) return { closed: [], open: [""] };
      return { closed: [...new Set(charactersOf(node.set).map((each) => each.toLowerCase()))], open: [] };
    }
    case "repeat": {
      if (node.min === 0)
        return node.max === 1 ? joined([EMPTY, expand(node.body)]) : { closed: [], open: [""] };
      const body = expand(node.body);
      if (node.min === 1 && node.max === 1) return body;
      return { closed: [], open: [...body.closed, ...body.open] };
    }
    default:
      return node.parts.reduce((before, part) => followed(before, expand(part)), EMPTY);
  }
}

function joined(all: readonly Prefixes[]): Prefixes {
  return { closed: all.flatMap(({ closed }) => closed), open: all.flatMap(({ open }) => open) };
}

function followed(before: Prefixes, after: Prefixes): Prefixes {
  const count = before.closed.length * (after.closed.length + after.open.length) + before.open.length;
  if (count > MOST || before.closed.some(({ length }) => length >= LONGEST))
    return { closed: [], open: [...before.open, ...before.closed] };
  const cross = (ends: readonly string[]): string[] =>
    before.closed.flatMap((start) => ends.map((end) => start + end));
  return { closed: cross(after.closed), open: [...before.open, ...cross(after.open)] };
}
