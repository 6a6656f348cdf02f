import type { JudgedPart, RuleJudgement, RuleVerdict } from "../ports.ts";

/** The actions that the user has accepted for as long as a thread is loaded. */
export class SessionRules {
  /** Commands by folder and arguments, and files of patches. */
  readonly #accepted = new Set<string>();
  readonly #prefixes: (readonly string[])[] = [];

  accept(key: string): void {
    this.#accepted.add(key);
  }

  accepts(key: string): boolean {
    return this.#accepted.has(key);
  }

  /** Returns the problems that were not returned before. */
  news(problems: readonly string[]): string[] {
    return problems.filter((problem) => {
      const key = JSON.stringify(["problem", problem]);
      if (this.#accepted.has(key)) return false;
      this.#accepted.add(key);
      return true;
    });
  }

  /** Allows all commands that start with these words. */
  allow(words: readonly string[]): void {
    if (words.length > 0) this.#prefixes.push([...words]);
  }

  /** Returns the strictest verdict on a command. `allow` requires that rules allow every part of a plain script. */
  verdictOn(argv: readonly string[], { commands, plain }: RuleJudgement): RuleVerdict | undefined {
    const rules = commands.flatMap(({ rule }) => rule ?? []);
    for (const decision of ["forbidden", "prompt"] as const) {
      const found = rules.find((rule) => rule.decision === decision);
      if (found) return found;
    }
    const allowed = ({ words, rule }: JudgedPart): boolean =>
      rule?.decision === "allow" || this.#allows(words);
    if (plain && commands.length > 0 && commands.every(allowed)) return { decision: "allow" };
    return this.#allows(argv) ? { decision: "allow" } : undefined;
  }

  #allows(words: readonly string[]): boolean {
    return this.#prefixes.some((prefix) => startsWith(words, prefix));
  }
}

export function startsWith(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length > 0 && prefix.length <= words.length && prefix.every((word, at) => words[at] === word);
}
