/** Splits an example command into words, by the quotes and backslashes of a shell. `undefined` if a quote is open. */
export function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (quote === "'") {
      if (char === "'") quote = "";
      else word = (word ?? "") + char;
    } else if (char === "\\") {
      const next = text[++at];
      if (next === undefined) return undefined;
      const kept = quote === '"' && !'"\\$`'.includes(next) ? char : "";
      word = (word ?? "") + kept + next;
    } else if (quote === '"') {
      if (char === '"') quote = "";
      else word = (word ?? "") + char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (/[ \t\n]/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + char;
    }
  }
  if (quote !== "") return undefined;
  if (word !== undefined) words.push(word);
  return words;
}
