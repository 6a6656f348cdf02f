/**
 * Removes white space as Unicode defines it, from both ends. JavaScript's `trim` also removes a byte order mark, and keeps
 * the control character "next line".
 */
export function trimmed(text: string): string {
  return trimmedEnd(text).replace(/^\p{White_Space}+/u, "");
}

/** Removes white space from the end. */
export function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && WHITE.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

// All characters of this class are single units of UTF-16.
const WHITE = /\p{White_Space}/u;
