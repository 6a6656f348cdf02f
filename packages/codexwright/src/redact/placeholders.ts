/** The maximum number of placeholders kept for texts from the peer. */
const MOST_OF_PEER = 65_536;
/** Texts longer than this are stored as a digest. */
const LONGEST_KEY = 64;
const PLACEHOLDER = /^\[redacted:\d+\]$/;

export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

/**
 * Assigns placeholders to secrets. Equal texts have the same placeholder, and different texts have different ones. So a
 * redacted recording still shows which secrets are equal. Placeholders for texts of this side are kept forever. For
 * texts from the peer, the 65,536 most recent placeholders are kept.
 */
export class Placeholders {
  readonly #own = new Map<string, string>();
  readonly #peer = new Map<string, string>();
  #count = 0;

  of(text: string, own: boolean): string {
    const key = keyOf(text);
    const known = this.#own.get(key) ?? this.#peer.get(key);
    const name = known ?? `[redacted:${++this.#count}]`;
    if (own) this.#own.set(key, name);
    else if (!this.#own.has(key)) {
      // Move the text to the end, so that it is dropped last.
      this.#peer.delete(key);
      this.#peer.set(key, name);
      const [oldest] = this.#peer.size > MOST_OF_PEER ? this.#peer.keys() : [];
      if (oldest !== undefined) this.#peer.delete(oldest);
    }
    return name;
  }
}

function keyOf(text: string): string {
  if (text.length <= LONGEST_KEY) return text;
  let [a, b] = [0x1234_5678, 0x9abc_def0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x85eb_ca6b) ^ (a >>> 13);
    b = Math.imul(b ^ code, 0xc2b2_ae35) ^ (b >>> 16);
  }
  return `${text.length} ${a} ${b} ${text.slice(0, 16)}${text.slice(-16)}`;
}
