import type { SecretStore } from "codexwright/internal/redact";

/** The maximum size of the output that is kept for the log, in bytes. */
const MOST_BYTES = 2_048;
/** A token that is not known as a secret is at most this long. */
const LONGEST_TOKEN = 4_096;
const CUT = "[…] ";

/**
 * Keeps the end of a hook's output, for the log.
 *
 * Secrets are searched for in more text than is returned. If the beginning of a secret was cut off, the rest of it is
 * not recognised, so the first characters of a cut text are never returned.
 */
export class HookOutput {
  readonly #secrets: readonly string[];
  readonly #head: number;
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #isCut = false;

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
    // Secrets may be written in an encoding that is up to six times as long, such as JSON escapes.
    this.#head = Math.max(LONGEST_TOKEN, ...secrets.map((secret) => 6 * Buffer.byteLength(secret)));
    this.#limit = this.#head + 4 * MOST_BYTES;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    // Whole chunks are dropped, so that a flood is not copied again and again.
    for (
      let first = this.#chunks[0];
      first && this.#size - first.length >= this.#limit;
      first = this.#chunks[0]
    ) {
      this.#chunks.shift();
      this.#size -= first.length;
      this.#isCut = true;
    }
  }

  /** Returns at most 2,048 bytes of text without secrets and without control characters. */
  async text(): Promise<string> {
    if (this.#size === 0) return "";
    const { SecretStore } = await import("codexwright/internal/redact");
    const store = new SecretStore([]);
    for (const secret of this.#secrets) store.learn(secret, "own");
    store.seal();
    const bytes = Buffer.concat(this.#chunks);
    // A secret that began before the kept bytes ends within the first ones.
    const from = this.#isCut ? bytes.toString("utf8", 0, this.#head).length : 0;
    const clean = redacted(bytes.toString("utf8"), from, store);
    const plain = clean.replaceAll(/\p{Cc}+/gu, (controls) => (controls.includes("\n") ? "\n" : " ")).trim();
    return lastBytes(plain, MOST_BYTES, this.#isCut);
  }
}

/** Returns the text from this position on, without secrets. */
function redacted(text: string, start: number, store: SecretStore): string {
  let from = start;
  let clean = "";
  for (const secret of store.find(text).ranges) {
    if (secret.end <= from) continue;
    clean += `${text.slice(from, Math.max(from, secret.start))}[redacted]`;
    from = secret.end;
  }
  return clean + text.slice(from);
}

/** Returns the end of a text, and marks that something is missing before it. */
function lastBytes(text: string, most: number, isCut: boolean): string {
  if (!isCut && Buffer.byteLength(text) <= most) return text;
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - most + Buffer.byteLength(CUT));
  // Skip the rest of a character that is cut in two.
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return CUT + bytes.toString("utf8", start);
}
