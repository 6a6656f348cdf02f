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
  const args = words.slice(1);
  if (name === "rm")
    return args.some((arg) => /^-[a-zA-Z]*f/.test(arg) || ("--force".startsWith(arg) && arg.length > 2));
  if (depth >= MAX_DEPTH) return false;
  if (SHELLS.has(name)) {
    const at = args.findIndex((arg) => /^-[a-z]*c[a-z]*$/.test(arg));
    const script = at === -1 ? undefined : args[at + 1];
    return (simpleCommands(script ?? "") ?? []).some((each) => isForcedRemoval(each, depth + 1));
  }
  if (!WRAPPERS.has(name)) return false;
  // Options of these programs can have values, so each word may be the command.
  return args.some((arg, at) => {
    const inner = programOf(arg);
    if (inner !== "rm" && !SHELLS.has(inner) && !WRAPPERS.has(inner)) return false;
    return isForcedRemoval(args.slice(at), depth + 1);
  });
}

function programOf(word: string | undefined): string {
  return word?.slice(word.lastIndexOf("/") + 1) ?? "";
}
