import type { RuleJudgement } from "../ports.ts";
import { startsWith } from "../threads/session-rules.ts";

/** Programs that run any code that their arguments or their input name. A rule for them would allow everything. */
const INTERPRETERS =
  /^(?:alias|ash|awk|bash|bun|busybox|chroot|command|csh|dash|declare|deno|doas|enable|env|eval|exec|expect|export|fish|gawk|java|ksh|lua|make|nawk|nice|node|nohup|npx|osascript|perl|php|powershell|pwsh|py|pypy|python|pythonw|ruby|set|setsid|sh|shopt|source|ssh|su|sudo|tclsh|time|timeout|tmux|trap|typeset|unset|uv|xargs|zsh)[\d.]*(?:\.exe)?$/;

const MAX_WORDS = 64;
const MAX_CHARS = 4096;

/** Programs whose first argument says what they do. A rule for the program alone would allow too much. */
const BROAD: ReadonlySet<string> = new Set([
  "cargo",
  "docker",
  "find",
  "gh",
  "git",
  "go",
  "kubectl",
  "npm",
  "pip",
  "pip3",
  "pnpm",
  "podman",
  "rm",
  "yarn",
]);

/**
 * Returns the words that a new rule would allow, or `undefined` if no rule should be offered: for a script that is not
 * one command of plain words, and for programs that run arbitrary code. `wanted` is the prefix that the model proposes.
 */
export function amendmentFor(
  { commands, plain }: RuleJudgement,
  wanted: readonly string[] | undefined,
): string[] | undefined {
  const [only, another] = commands;
  if (!plain || !only || another) return undefined;
  const prefix =
    wanted !== undefined && startsWith(only.words, wanted) && isFit(wanted) ? wanted : only.words;
  return isFit(prefix) ? [...prefix] : undefined;
}

function isFit(words: readonly string[]): boolean {
  const [program = ""] = words;
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (name === "" || name === "." || INTERPRETERS.test(name)) return false;
  return !(words.length === 1 && BROAD.has(name)) && isBounded(words);
}

/** Whether the words can be stored as a rule. */
export function isBounded(words: readonly string[]): boolean {
  if (words.length === 0 || words.length > MAX_WORDS || words[0] === "") return false;
  return words.reduce((sum, word) => sum + word.length, 0) <= MAX_CHARS;
}
