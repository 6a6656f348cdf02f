/** Maximum number of values in a message: objects, lists, and their contents. */
export const MOST_VALUES: number = 4 * 1024 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const OBJECT = 0x7b;
const LIST_END = 0x5d;
const OBJECT_END = 0x7d;

/**
 * Whether a message has more values than {@link MOST_VALUES}. A parsed value costs up to a hundred times its text, so
 * a message that is short enough to be received could still exceed the memory.
 */
export function hasTooManyValues(text: string): boolean {
  // A value takes at least two characters: a list or object has a closing bracket, and every other value has a
  // separator.
  if (text.length <= 2 * MOST_VALUES) return false;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === COMMA || character === LIST || character === OBJECT) values++;
    if (values > MOST_VALUES) return true;
  }
  return false;
}

/** The deepest nesting of a client's message that is read. The real server reads 127 levels, and ignores deeper messages. */
export const DEEPEST_MESSAGE: number = 512;

/**
 * Whether JSON text is nested more than so many levels deep. `JSON.parse` takes a hundred times as long for brackets as
 * for other text, and code that walks a value level by level fails if there are thousands.
 */
export function isDeepText(text: string, most: number): boolean {
  // Each level takes two characters.
  if (text.length <= 2 * most) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === LIST || character === OBJECT) {
      if (++depth > most) return true;
    } else if (character === LIST_END || character === OBJECT_END) depth--;
  }
  return false;
}

/** Returns the index of the string's closing quote: the next quote that follows an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** The reason that the connection reports after a message with too many values. */
export const TOO_MANY_VALUES: string = `the other end was cut off: a message has more than ${MOST_VALUES} values`;
