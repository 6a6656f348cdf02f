import { simpleCommands } from "../shell-words.ts";

/** Programs that run the command after their own options. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "builtin",
  "busybox",
  "chroot",
  "command",
  "doas",
  "env",
  "exec",
  "ionice",
  "nice",
  "nohup",
  "setsid",
  "stdbuf",
  "sudo",
  "time",
  "timeout",
  "xargs",
]);
const SHELLS: ReadonlySet<string> = new Set(["ash", "bash", "dash", "ksh", "sh", "zsh"]);
const MAX_DEPTH = 4;

/**
 * Whether this command is an `rm` that removes files without asking, also behind programs such as `sudo` and `bash -c`.
 * This only protects from accidents: a program can remove files in many other ways.
 */
export function isForcedRemoval(words: readonly string[], depth: number = 0): boolean {
  const name = programOf(words[0]);
  if (!WRAPPERS.has(name)) return isForced(words, depth);
  // Options of these programs can have values, so any word may be the command.
  const isProgram = (word: string): boolean => programOf(word) === "rm" || SHELLS.has(programOf(word));
  const at = words.findIndex(isProgram);
  return at !== -1 && isForced(words.slice(at), depth);
}

function isForced(words: readonly string[], depth: number): boolean {
  const name = programOf(words[0]);
  if (name === "rm") return words.some((word) => /^-[a-zA-Z]*f/.test(word) || word.startsWith("--f"));
  if (!SHELLS.has(name) || depth >= MAX_DEPTH) return false;
  const script = words[words.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word)) + 1] ?? "";
  return (simpleCommands(script) ?? []).some((each) => isForcedRemoval(each, depth + 1));
}

function programOf(word: string | undefined): string {
  return word?.slice(word.lastIndexOf("/") + 1) ?? "";
}
