import type { CommandAction } from "codexwright/protocol";
import type { Paths } from "./ports.ts";

/** Parts of a word that need no quotes, that fit into single quotes, and that fit into double quotes. */
const PARTS: readonly (readonly [part: RegExp, quote: (text: string) => string])[] = [
  [/^[+\-./:@\]_0-9A-Za-z]+/, (text) => text],
  [/^\^?[^'^]+|^\^/, (text) => `'${text}'`],
  [/^[^`$!^]+/, (text) => `"${text.replace(/[\\"]/g, "\\$&")}"`],
];

/** Quotes a word for a shell, if it needs quotes. Uses the longest part that one kind of quotes fits. */
function quoted(word: string): string {
  if (word === "") return "''";
  let out = "";
  for (let rest = word; rest !== "";) {
    const parts = PARTS.map(([part, quote]) => ({ length: part.exec(rest)?.[0].length ?? 0, quote }));
    const most = Math.max(...parts.map(({ length }) => length));
    const { quote } = parts.find(({ length }) => length === most) as (typeof parts)[number];
    out += quote(rest.slice(0, most));
    rest = rest.slice(most);
  }
  return out;
}

export function joined(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

/** The arguments that start a command: a login shell runs it. */
export function argvOf(command: string): string[] {
  return ["/bin/bash", "-lc", command];
}

/** Splits a script into simple commands. Returns `undefined` unless it is plain words and `&&`, `||`, `;` or `|`. */
export function simpleCommands(script: string): string[][] | undefined {
  const commands: string[][] = [[]];
  const pattern = /[ \t]*(?:(&&|\|\||;|\|)|((?:[^\s"'\\$`&|;<>(){}*?~#!\n]|"[^"\\$`]*"|'[^']*')+))/y;
  let at = 0;
  // Shells separate words by blanks only. Other white space is a part of a word.
  const text = script.replace(/^[ \t\n]+|[ \t\n]+$/g, "");
  if (/\n/.test(text)) return undefined;
  while (at < text.length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match || match[0] === "") return undefined;
    at = pattern.lastIndex;
    if (match[1] !== undefined) commands.push([]);
    else commands.at(-1)?.push((match[2] ?? "").replace(/"([^"]*)"|'([^']*)'/g, (_, a, b) => String(a ?? b)));
  }
  return commands.every((words) => words.length > 0) ? commands : undefined;
}

/** Returns the actions that the real server reports for a command. */
export function actionsOf(script: string, cwd: string, paths: Paths): CommandAction[] {
  const unknown: CommandAction[] = [{ type: "unknown", command: script }];
  const commands = simpleCommands(script);
  if (!commands) return unknown;
  // `cd` before another command and filters after one do not count as actions.
  const seen = commands.filter(
    ([name = ""], at) => !(name === "cd" && at < commands.length - 1) && !(at > 0 && FILTERS.has(name)),
  );
  let folder = cwd;
  for (const [name, to] of commands)
    if (name === "cd" && to !== undefined) folder = paths.resolve(folder, to);
  const actions = seen.map((words) => actionOf(words, folder, paths));
  return actions.every((action) => action !== undefined) ? actions : unknown;
}

const FILTERS: ReadonlySet<string> = new Set(["wc", "sort", "uniq", "cut", "tr", "awk", "column"]);

function actionOf(words: readonly string[], cwd: string, paths: Paths): CommandAction | undefined {
  const [name, ...args] = words;
  const command = joined(words);
  const plain = args.filter((arg) => !arg.startsWith("-"));
  const read = (file: string | undefined): CommandAction | undefined =>
    file === undefined
      ? undefined
      : { type: "read", command, name: paths.basename(file), path: paths.resolve(cwd, file) };
  switch (name) {
    case "ls":
      return { type: "listFiles", command, path: plain[0] ?? null };
    case "cat":
      return plain.length === 1 ? read(plain[0]) : undefined;
    case "head":
    case "tail":
      return read(args[0] === "-n" ? args[2] : plain[0]);
    case "sed":
      return args[0] === "-n" && args.length === 3 ? read(args[2]) : undefined;
    case "rg":
    case "grep":
      return { type: "search", command, query: plain[0] ?? null, path: plain[1] ?? null };
    case "find": {
      const at = args.indexOf("-name");
      return {
        type: "search",
        command,
        query: at === -1 ? null : (args[at + 1] ?? null),
        path: plain[0] ?? null,
      };
    }
    default:
      return undefined;
  }
}
