/**
 * The shells whose script may be shown without them. They belong to the system: a shell from a workspace can do
 * anything with its script.
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
 * Returns the script of a command that is a shell of the system and its script: `touch a && rm b` for
 * `/bin/bash -lc 'touch a && rm b'`. Use it to show a command, for example that of a `commandExecution` item, without
 * the shell that Codex puts around it.
 *
 * Returns `undefined` for every other command, so that it is shown as it is: if the shell is not one of the system's
 * (`./bash`, `/tmp/sh`), if it has other arguments, and if the line has characters outside quotes that a shell would
 * not take literally (`;`, `$`, `*`, a line break).
 *
 * @param command a command line, as servers quote it, or its words
 */
export function scriptOf(command: string | readonly string[]): string | undefined {
  const words = typeof command === "string" ? shellWords(command) : command;
  const [shell = "", flag = "", script = ""] = words;
  // A shell takes a third word with a sign as one more option.
  const isScript = words.length === 3 && SHELLS.has(shell) && /^-l?c$/.test(flag) && !/^[-+]/.test(script);
  return isScript ? script : undefined;
}

/** The characters that shells take literally outside quotes, wherever they are in a word. */
const BARE = String.raw`[\w@%+=:,./\]-]+`;

const BARE_WORD = new RegExp(`^${BARE}$`);

/**
 * One step of reading: blanks between words, or a part of a word, in one of the ways to quote it. Double quotes
 * may not hold an expansion.
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

/** The words of a command line as `sh` and `bash` read them; none if they would do more with it than split it. */
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
      // A backslash before a line break joins the lines, and is not a part of a word.
      const unescaped = double?.replaceAll(/\\([$`"\\\n])/g, (_, char: string) =>
        char === "\n" ? "" : char,
      );
      word = (word ?? "") + (single ?? unescaped ?? escaped ?? bare ?? "");
    }
  }
  return word === undefined ? words : [...words, word];
}

/** The command line that a shell reads as these words. */
export function shellLine(words: readonly string[]): string {
  return words
    .map((word) => (BARE_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(" ");
}
