import { CLASSES, complement, ignoringCase, NAMED, union, type CharSet } from "./char-set.ts";

/** A parsed regular expression; case-insensitivity is folded into its character sets. */
export type Node =
  | { readonly type: "set"; readonly set: CharSet }
  | { readonly type: "sequence"; readonly parts: readonly Node[] }
  | { readonly type: "choice"; readonly choices: readonly Node[] }
  | { readonly type: "group"; readonly capture: boolean; readonly body: Node }
  | {
      readonly type: "repeat";
      readonly body: Node;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    }
  /** Matches no character. For a look-around, `look` is the text after `(?`. */
  | { readonly type: "assertion"; readonly text: string }
  | { readonly type: "look"; readonly sign: string; readonly body: Node };

interface Flags {
  readonly i: boolean;
  readonly s: boolean;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  f: "\f",
  v: "\v",
  a: "\u0007",
};

/**
 * Parses the syntax that RE2 and JavaScript share, plus RE2's inline flags, `\z`, `(?P<…>…)` and
 * `[[:alnum:]]`.
 */
export function parseRegex(source: string): Node {
  let at = 0;
  const fail = (): never => {
    throw new Error(`cannot read the pattern at ${at}: ${source}`);
  };
  const eat = (text: string): boolean => {
    const there = source.startsWith(text, at);
    if (there) at += text.length;
    return there;
  };
  const match = (pattern: RegExp): string[] | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (!found) return undefined;
    at = pattern.lastIndex;
    return [...found].map((each) => each ?? "");
  };

  /**
   * Parses alternatives up to a closing parenthesis or the end. Flags that are set inside apply up to there.
   */
  function choice(outer: Flags): Node {
    let flags = outer;
    const choices: Node[] = [];
    let parts: Node[] = [];
    while (at < source.length && source[at] !== ")") {
      if (eat("|")) {
        choices.push(sequence(parts));
        parts = [];
        continue;
      }
      const inline = match(/\(\?([is]*)(?:-([is]+))?\)/y);
      if (inline) flags = changed(flags, inline[1] ?? "", inline[2] ?? "");
      else parts.push(repeated(atom(flags)));
    }
    choices.push(sequence(parts));
    return choices.length === 1 ? (choices[0] ?? fail()) : { type: "choice", choices };
  }

  function atom(flags: Flags): Node {
    const assertion = match(/\^|\$|\\[bBzA]/y);
    if (assertion) return { type: "assertion", text: assertion[0] ?? "" };
    if (source[at] === "(") return group(flags);
    if (source[at] === "[") return chars(bracket(), flags);
    if (eat(".")) return { type: "set", set: flags.s ? complement([]) : complement([[10, 10]]) };
    if (source[at] === "\\") return chars(escape(), flags);
    const [character = fail()] = match(/[^|()]/y) ?? [];
    return chars(single(character), flags);
  }

  function group(flags: Flags): Node {
    const look = match(/\(\?(<?[=!])/y);
    const named = look ?? match(/\(\?P?<\w+>/y);
    const inner = named ? undefined : match(/\(\?([is]*)(?:-([is]+))?:/y);
    const capture = !look && !inner;
    if (!named && !inner && !eat("(")) fail();
    const body = choice(inner ? changed(flags, inner[1] ?? "", inner[2] ?? "") : flags);
    if (!eat(")")) fail();
    return look ? { type: "look", sign: look[1] ?? "", body } : { type: "group", capture, body };
  }

  function bracket(): CharSet {
    at++;
    const negated = eat("^");
    const sets: CharSet[] = [];
    for (let first = true; first || source[at] !== "]"; first = false) {
      const named = match(/\[:(\w+):\]/y);
      if (named) {
        sets.push(NAMED[named[1] ?? ""] ?? fail());
        continue;
      }
      const low = source[at] === "\\" ? escape() : single(source[at++] ?? fail());
      const [start] = low;
      if (source[at] !== "-" || source[at + 1] === "]" || low.length > 1 || start?.[0] !== start?.[1]) {
        sets.push(low);
        continue;
      }
      at++;
      const high = source[at] === "\\" ? escape() : single(source[at++] ?? fail());
      sets.push([[start?.[0] ?? fail(), high[0]?.[0] ?? fail()]]);
    }
    at++;
    return negated ? complement(union(...sets)) : union(...sets);
  }

  function escape(): CharSet {
    const hex = match(/\\x([0-9A-Fa-f]{2})|\\u([0-9A-Fa-f]{4})/y);
    if (hex) {
      const code = Number.parseInt(hex[1] === "" ? (hex[2] ?? "") : (hex[1] ?? ""), 16);
      return [[code, code]];
    }
    at++;
    const character = source[at++] ?? fail();
    return CLASSES[character] ?? single(ESCAPES[character] ?? character);
  }

  function repeated(body: Node): Node {
    const found = match(/(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y);
    if (!found) return body;
    const [, sign = "", low = "", comma = "", high = "", lazy = ""] = found;
    const min = sign === "" ? Number(low) : sign === "+" ? 1 : 0;
    const open = high === "" ? (comma === "" ? min : Infinity) : Number(high);
    const max = sign === "" ? open : sign === "?" ? 1 : Infinity;
    return { type: "repeat", body, min, max, lazy: lazy !== "" };
  }

  const whole = choice({ i: false, s: false });
  return at === source.length ? whole : fail();
}

function changed(flags: Flags, on: string, off: string): Flags {
  const flag = (name: "i" | "s"): boolean => (flags[name] || on.includes(name)) && !off.includes(name);
  return { i: flag("i"), s: flag("s") };
}

function sequence(parts: readonly Node[]): Node {
  return parts.length === 1 && parts[0] ? parts[0] : { type: "sequence", parts };
}

function single(character: string): CharSet {
  const code = character.charCodeAt(0);
  return [[code, code]];
}

function chars(set: CharSet, { i }: Flags): Node {
  return { type: "set", set: i ? ignoringCase(set) : set };
}
