/** Shells of the system only: one that a folder brings along may do anything with its script, so it is shown. */
const SHELL = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:ba|z|da)?sh -l?c (?=\S)/;

/** A part of a word, in one of the ways to quote it. */
const PART = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\]+)/y;

/** The script inside `/bin/bash -lc '…'`; anything else as it is. */
export function unwrapped(command: string): string {
  const shell = SHELL.exec(command)?.[0];
  return (shell === undefined ? undefined : oneWord(command.slice(shell.length))) ?? command;
}

/** What a shell takes a text for, where it is one word. */
function oneWord(text: string): string | undefined {
  let word = "";
  const part = new RegExp(PART);
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (!match) return undefined;
    const [, single, double, escaped, bare] = match;
    word += single ?? double?.replaceAll(/\\([$`"\\])/g, "$1") ?? escaped ?? bare ?? "";
  }
  return word;
}
