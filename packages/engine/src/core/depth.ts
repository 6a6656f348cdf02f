/** The deepest nesting that a record of a thread may have. Codex reads 128 levels. */
const DEEPEST_RECORD = 512;

/** The deepest nesting of what a model or a client adds to a record. It leaves room for what the record adds. */
export const DEEPEST: number = 256;

const BACKSLASH = 92;

/**
 * Parses JSON that others wrote. Throws a `SyntaxError` if it is nested too deeply: parsing 60 MB of opening brackets
 * takes gigabytes, and a value of 100,000 levels cannot be copied or written as JSON again.
 */
export function parseJson(text: string, deepest: number = DEEPEST): unknown {
  if (isDeep(text, deepest)) throw new SyntaxError(`nested more than ${deepest} levels deep`);
  return JSON.parse(text);
}

export function parseRecordJson(text: string): unknown {
  return parseJson(text, DEEPEST_RECORD);
}

/** Whether brackets are nested more deeply. Takes time in proportion to the text, and no memory. */
function isDeep(text: string, deepest: number): boolean {
  // Each level takes two characters.
  if (text.length <= 2 * deepest) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "[":
      case "{":
        if (++depth > deepest) return true;
        break;
      case "]":
      case "}":
        depth--;
        break;
      case '"':
        at = endOfString(text, at);
        break;
    }
  }
  return false;
}

/** The position of the quote that ends the string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
