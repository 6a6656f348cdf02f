import type { Node, Parser, Tree } from "web-tree-sitter";
import { isShellOwn } from "../core/shell-builtins.ts";
import { simpleCommands } from "../core/shell-words.ts";

/** The simple commands of a script. */
export interface ScriptCommands {
  /** Each command's words, up to the first word that the shell expands. */
  readonly commands: readonly (readonly string[])[];
  /** Whether the script runs exactly these commands, with exactly these words. */
  readonly plain: boolean;
  /** Whether the commands are only guessed. */
  readonly rough?: boolean;
}

/**
 * Limits for the parser. With many more pipes, it needs more memory than a WebAssembly module gets, and then it cannot
 * be used again.
 */
const MAX_SCRIPT = 8 * 1024;
const MAX_PIPES = 128;
const MAX_MS = 500;
const MAX_NESTED = 3;

/** The parts of a tree in which every command is plain words. */
const PLAIN: ReadonlySet<string> = new Set([
  "program",
  "list",
  "pipeline",
  "command",
  "command_name",
  "concatenation",
  "number",
  "raw_string",
  "string",
  "string_content",
  "word",
  "&&",
  "||",
  ";",
  "|",
  '"',
]);
/** Characters that no shell expands, in a word without quotes. A word must not begin with `=` (zsh expands it). */
const PLAIN_WORD = /^[A-Za-z0-9_\-./:@%+,][A-Za-z0-9_\-./:@%+,=]*$/;
let loading: Promise<Parser> | undefined;
/** A parser that failed. It is kept, because cleaning it up would fail too, at an arbitrary moment. */
let broken: { readonly parser: Parser; readonly error: unknown } | undefined;

/** Loads the parser of bash when it is first needed. It is a separate file of the package. */
function parser(): Promise<Parser> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Parser> {
  const { Language, Parser: Bash } = await import("web-tree-sitter");
  const { readFile } = await import("node:fs/promises");
  await Bash.init();
  const grammar = await readFile(new URL("./tree-sitter-bash.wasm", import.meta.url));
  const bash = new Bash();
  bash.setLanguage(await Language.load(grammar));
  return bash;
}

/** Finds the simple commands of a script. Rejects if the parser cannot be used. */
export async function commandsOf(script: string): Promise<ScriptCommands> {
  if (!isReadable(script)) return { commands: roughCommands(script), plain: false, rough: true };
  const bash = await parser();
  if (broken) throw broken.error;
  const found = read(bash, script, 0);
  if (!found.plain) return found;
  // A second, much smaller reader must come to the same result.
  const again = simpleCommands(script);
  return { ...found, plain: JSON.stringify(again) === JSON.stringify(found.commands) };
}

function isReadable(script: string): boolean {
  return script.length <= MAX_SCRIPT && !script.includes("\0") && script.split("|").length <= MAX_PIPES;
}

/**
 * The commands of a script that is too large for the parser, for rules that forbid. They are cut at everything that can
 * separate commands, so words of texts count as commands too.
 */
export function roughCommands(script: string): string[][] {
  const commands: string[][] = [];
  for (const part of script.split(/[;|&(){}`\n]+|\b(?:then|else|do)\b/)) {
    const words = part.split(/[ \t\r"'\\]+/).filter((word) => word !== "" && word !== "!");
    if (words.length > 0) commands.push(words.slice(0, 64));
  }
  return commands;
}

function parse(bash: Parser, script: string): Tree | null {
  const end = performance.now() + MAX_MS;
  try {
    return bash.parse(script, null, { progressCallback: () => performance.now() > end });
  } catch (error) {
    broken = { parser: bash, error };
    throw error;
  } finally {
    if (!broken) bash.reset();
  }
}

function read(bash: Parser, script: string, depth: number): ScriptCommands {
  const tree = parse(bash, script);
  if (!tree) return { commands: roughCommands(script), plain: false, rough: true };
  try {
    const commands: (readonly string[])[] = [];
    let plain = !tree.rootNode.hasError;
    const open: Node[] = [tree.rootNode];
    for (let node = open.pop(); node; node = open.pop()) {
      if (!PLAIN.has(node.type)) plain = false;
      if (node.type === "command") {
        const words = wordsOf(node);
        if (words.known.length > 0) commands.push(words.known);
        if (!words.plain) plain = false;
        const nested = scriptIn(words.known);
        if (nested !== undefined && depth < MAX_NESTED)
          commands.push(...read(bash, nested, depth + 1).commands);
      }
      open.push(...node.children.filter((child) => child !== null).toReversed());
    }
    // A nested script is found for rules that forbid. Its commands are not commands of this script.
    if (commands.some((words) => scriptIn(words) !== undefined)) plain = false;
    return { commands, plain: plain && commands.length > 0 };
  } finally {
    tree.delete();
  }
}

function wordsOf(command: Node): { readonly known: string[]; readonly plain: boolean } {
  const known: string[] = [];
  let plain = true;
  for (const child of command.namedChildren) {
    // Variables and redirections before the name are not words.
    if (child === null || (known.length === 0 && child.type !== "command_name")) continue;
    const word = literal(child);
    if (word === undefined) return { known, plain: false };
    known.push(word.text);
    plain &&= word.plain;
  }
  const [name = ""] = known;
  return { known, plain: plain && name !== "" && !isShellOwn(name) && !name.includes("=") };
}

/** The text of a word that no shell expands. `undefined` if its text is not known before it runs. */
function literal(node: Node): { readonly text: string; readonly plain: boolean } | undefined {
  const { type, text } = node;
  if (type === "word" || type === "number") {
    if (PLAIN_WORD.test(text)) return { text, plain: true };
    // The shell removes the backslashes. Everything else of such a word is not known.
    return /^(?:[A-Za-z0-9_\-./:@%+,=]|\\.)+$/.test(text)
      ? { text: text.replace(/\\(.)/g, "$1"), plain: false }
      : undefined;
  }
  if (type === "raw_string") return { text: text.slice(1, -1), plain: /^'[^']*'$/.test(text) };
  if (type === "string") {
    return /^"[^"\\$`!]*"$/.test(text) ? { text: text.slice(1, -1), plain: true } : undefined;
  }
  if (type !== "command_name" && type !== "concatenation") return undefined;
  const parts = node.children.map((child) => (child === null ? undefined : literal(child)));
  if (parts.length === 0 || parts.includes(undefined)) return undefined;
  return {
    text: parts.map((part) => part?.text).join(""),
    plain: parts.every((part) => part?.plain === true),
  };
}

/** The script that a command gives to another shell. */
function scriptIn(words: readonly string[]): string | undefined {
  const [program = "", ...args] = words;
  if (!/^(?:.*\/)?(?:ash|bash|dash|ksh|sh|zsh)$/.test(program)) return undefined;
  const at = args.findIndex((arg) => /^-[a-z]*c[a-z]*$/.test(arg));
  return at === -1 ? undefined : args[at + 1];
}
