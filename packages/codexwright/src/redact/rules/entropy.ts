/** Returns the Shannon entropy of a text in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<number, number>();
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** 1: lower case, 2: upper case, 3: digit, 4: anything else. */
function classOf(code: number): number {
  if (code >= 97 && code <= 122) return 1;
  if (code >= 65 && code <= 90) return 2;
  return code >= 48 && code <= 57 ? 3 : 4;
}

/**
 * Whether a text looks random: it switches between lower case, upper case, digits and punctuation far more often than a
 * name in a program does.
 */
export function looksDrawn(text: string): boolean {
  let changes = 0;
  for (let at = 1; at < text.length; at++)
    if (classOf(text.charCodeAt(at)) !== classOf(text.charCodeAt(at - 1))) changes++;
  if (changes <= (text.length - 1) * 0.38 || !/[A-Z]/.test(text)) return false;
  // Counts words of three or more lower-case letters: `convertUtf8ToUtf16AndBack` is a name.
  const words = text.length - text.replaceAll(/[a-z]{3,}/g, "").length;
  return words < text.length * 0.4 && /[a-z]/.test(text);
}
