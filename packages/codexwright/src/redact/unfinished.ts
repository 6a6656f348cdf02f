/** How many characters at the end of a text are searched: the length of the longest tokens. */
const LONGEST = 8_192;
/** Characters up to this code end a word. */
const SPACE = 0x20;
const PRIVATE_KEY = /-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----/g;
/** Matches an end of a text that has several words and may be the beginning of a secret. */
const WORDS =
  /(?<![A-Za-z0-9])(?:(?:[Bb]earer|[Bb]asic|[Aa]uthorization:?)(?:\s+[\w.~+/=-]*)?|-{1,5}(?:BEGIN[ A-Z0-9_-]{0,120}-{0,5})?)$/;
/** A line of wrapped base64 that may continue on the next line. */
const WRAPPED = /^[ \t]{0,8}[A-Za-z0-9+/_-]{32,512}\r?\n$/;

/** Maximum length of a block of lines that may still be a secret, counted from its first line. */
const LONGEST_BLOCK = 2_048;
/** First lines that mark the block of lines below them as a secret. */
const BLOCK = /Private-Lines:(?![^]*Private-MAC)|\$ANSIBLE_VAULT;|\bkind:[ \t]{0,8}["']?Secret\b/i;

/**
 * Returns the position from which the end of a text may turn out to be a secret once more text follows. If there is no
 * such position, returns the length of the text.
 */
export function unfinishedAt(text: string): number {
  const from = Math.max(0, text.length - LONGEST);
  let word = text.length;
  while (word > from && text.charCodeAt(word - 1) > SPACE) word--;
  const end = from === 0 ? text : text.slice(from);
  const words = from + (WORDS.exec(end)?.index ?? end.length);
  return Math.min(word, words, openKeyAt(text) ?? text.length, wrappedAt(text, from), blockAt(text));
}

/** Returns the start of a block of lines that may continue. */
function blockAt(text: string): number {
  const from = Math.max(0, text.length - LONGEST_BLOCK);
  const at = text.slice(from).search(BLOCK);
  return at === -1 ? text.length : from + at;
}

/** Returns the start of a private key that has no end yet. */
export function openKeyAt(text: string): number | undefined {
  if (!text.includes("PRIVATE KEY")) return undefined;
  let last: number | undefined;
  for (const { index } of text.matchAll(PRIVATE_KEY)) last = index;
  if (last === undefined || text.indexOf("-----END", last) !== -1) return undefined;
  return last;
}

/** Returns the start of the base64 lines at the end of the text. */
function wrappedAt(text: string, from: number): number {
  const last = text.lastIndexOf("\n") + 1;
  let end = last;
  if (!/^[ \t]*[A-Za-z0-9+/_=-]*$/.test(text.slice(last, last + 600))) return text.length;
  while (end > from) {
    const line = text.lastIndexOf("\n", end - 2) + 1;
    if (line < from || !WRAPPED.test(text.slice(line, end))) break;
    end = line;
  }
  return end < last ? end : text.length;
}
