/** Values that a message may have: objects, lists, and what is in them. */
export const MOST_VALUES: number = 4 * 1024 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/**
 * Whether a message has more values than {@link MOST_VALUES}. Read, a value costs up to a hundred times its text, so a
 * message that is short enough to be received could still be too large for the memory.
 */
export function hasTooManyValues(text: string): boolean {
  // Two characters for each: an end for each list, and for everything else what divides it from the next.
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

/** Where the string that begins here ends: at the next quote that an even number of backslashes precedes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** Why a connection ends that such a message came on. */
export const TOO_MANY_VALUES: string = `the other end was cut off: a message has more than ${MOST_VALUES} values`;
