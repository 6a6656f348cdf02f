/**
 * Shells that may be left out when their script is shown. The list has only shells in system folders, because a shell
 * from a workspace can do anything with its script.
 */
const FOLDERS = [
  "",
  "/bin/",
  "/usr/bin/",
  "/usr/local/bin/",
  "/opt/homebrew/bin/",
  "/run/current-system/sw/bin/",
];
const SHELLS: ReadonlySet<string> = new Set(
  FOLDERS.flatMap((folder) => ["sh", "bash", "dash", "zsh"].map((name) => folder + name)),
);

/**
 * Returns the script of a command that consists of a system shell and its script: `touch a && rm b` for `/bin/bash -lc
 * 'touch a && rm b'`. Use it to show a command, for example of a `commandExecution` item, without the shell that Codex
 * puts around it.
 *
 * Returns `undefined` for every other command: show such a command unchanged. Examples: the shell is not a system shell
 * (`./bash`, `/tmp/sh`), the shell has other arguments, or the line has unquoted characters that a shell does not take
 * literally (`;`, `$`, `*`, a line break).
 *
 * @param command a command line as servers quote it, or its words
 */
export function scriptOf(command: string | readonly string[]): string | undefined {
  const words = typeof command === "string" ? shellWords(command) : command;
  const [shell = "", flag = "", script = ""] = words;
  // A shell treats a third word that starts with `-` or `+` as another option.
  const isScript = words.length === 3 && SHELLS.has(shell) && /^-l?c$/.test(flag) && !/^[-+]/.test(script);
  return isScript ? script : undefined;
}

/** Characters that shells take literally outside quotes, anywhere in a word. */
const BARE = String.raw`[\w@%+=:,./\]-]+`;

const BARE_WORD = new RegExp(`^${BARE}$`);

/**
 * One parsing step: blanks between words, or a part of a word in one of its quoting styles. Double quotes may not
 * contain an expansion.
 */
const PART = new RegExp(
  [
    String.raw`([ \t]+)`,
    `'([^']*)'`,
    String.raw`"([^"\\$\x60]*(?:\\[^][^"\\$\x60]*)*)"`,
    String.raw`\\([^])`,
    `(${BARE})`,
  ].join("|"),
  "uy",
);

/**
 * Splits a command line into words like `sh` and `bash`. Returns an empty list if a shell would do more than split the
 * line.
 */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  PART.lastIndex = 0;
  while (PART.lastIndex < line.length) {
    const match = PART.exec(line);
    if (!match) return [];
    const [, blanks, single, double, escaped, bare] = match;
    if (blanks !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (escaped !== "\n") {
      // A backslash before a line break joins the lines and is not part of a word.
      const unescaped = double?.replaceAll(/\\([$`"\\\n])/g, (_, char: string) =>
        char === "\n" ? "" : char,
      );
      word = (word ?? "") + (single ?? unescaped ?? escaped ?? bare ?? "");
    }
  }
  return word === undefined ? words : [...words, word];
}

/** Returns a command line that a shell splits into these words. */
export function shellLine(words: readonly string[]): string {
  return words
    .map((word) => (BARE_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(" ");
}
