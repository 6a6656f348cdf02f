/** The bits of information of each character of a text, by how often its characters come (Shannon). */
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
