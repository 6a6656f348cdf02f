import { Automaton } from "../search/automaton.ts";
import { GITLEAKS_RULES, ORDINARY_NAMES, STOPWORDS, type GitleaksRule } from "./gitleaks-rules.gen.ts";
import type { Shape } from "./shape.ts";

/** The gitleaks shapes. Each pattern is compiled when it is first needed. */
export const GITLEAKS: readonly Shape[] = GITLEAKS_RULES.map(
  ({ id, keywords, near, source, group, entropy, allow }: GitleaksRule): Shape => {
    let pattern: RegExp | undefined;
    const allowed = allow && new RegExp(allow.join("|"));
    return {
      kind: id,
      keywords,
      where: near ? "near" : "at",
      get pattern() {
        pattern ??= new RegExp(source, "d");
        return pattern;
      },
      ...(group !== undefined && { group }),
      ...(entropy !== undefined && { entropy }),
      ...(allowed && { holds: (match) => !allowed.test(match[1] ?? match[0]) }),
      ...(id === "generic-api-key" && { holds: isGenericKey }),
    };
  },
);

let words: Automaton | undefined;
let ordinary: RegExp | undefined;

/**
 * Decides whether a value is a key if only its name and its entropy suggest that it is. The value must contain digits
 * and no known words.
 */
function isGenericKey({ 0: whole, 1: value = "", index, input }: RegExpExecArray): boolean {
  if (!/\d/.test(value) || /^[\w.-]*[.(]\w*$/.test(value)) return false;
  ordinary ??= new RegExp(ORDINARY_NAMES);
  const before = /[\w. -]{0,50}$/.exec(input.slice(Math.max(0, index - 50), index))?.[0] ?? "";
  if (ordinary.test(before + whole) || /public/i.test(before)) return false;
  words ??= new Automaton(STOPWORDS, { steps: 0 }, true);
  let hasWord = false;
  words.each(value, () => void (hasWord = true));
  return !hasWord;
}
