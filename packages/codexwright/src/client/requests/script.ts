/** Shells of the system: one that a workspace brings along may do anything with its script. */
const SHELL = /^(\/(usr\/|usr\/local\/|opt\/homebrew\/|run\/current-system\/sw\/)?bin\/)?(ba|z|da)?sh$/;

/** The script of `<shell> -lc <script>`; `undefined` for any other command. */
export function scriptOf(words: readonly string[]): string | undefined {
  const [shell = "", flag = "", script] = words;
  return words.length === 3 && SHELL.test(shell) && /^-l?c$/.test(flag) ? script : undefined;
}

/** What one step of reading takes: space between words, or a part of a word in one of the ways to quote it. */
const PART = /(\s+)|'([^']*)'|"([^"\\]*(?:\\[^][^"\\]*)*)"|\\([^])|([^\s'"\\]+)/y;

/** The words of a command line as a shell takes them; none where it ends within a quote. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  PART.lastIndex = 0;
  while (PART.lastIndex < line.length) {
    const match = PART.exec(line);
    if (!match) return [];
    const [, space, single, double, escaped, bare] = match;
    if (space === undefined) {
      const unquoted = double?.replaceAll(/\\([$`"\\\n])/g, (_, char: string) => (char === "\n" ? "" : char));
      word = (word ?? "") + (single ?? unquoted ?? escaped ?? bare ?? "");
    } else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}
