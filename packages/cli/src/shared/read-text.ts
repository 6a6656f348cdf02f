import { CommandError, EXIT } from "./command-error.ts";

/** The maximum number of characters that the app-server accepts as the text of a turn. */
export const MOST_CHARACTERS = 1_048_576;

/** The maximum number of bytes in that many characters. */
export const MOST_BYTES: number = 4 * MOST_CHARACTERS;

/** How to avoid `input_too_large`. */
export const SHORTEN =
  "Save it in a file, and name the file in the task: Codex reads the parts that it needs.";

/**
 * Reads text to its end: UTF-8, or UTF-16 with a byte order mark, which some shells write. Rejects with
 * `input_too_large` as soon as there are more bytes than a task can have, and with `invalid_encoding` if the bytes are
 * not valid text.
 *
 * @param what the source, as the user knows it
 */
export async function readText(source: AsyncIterable<Uint8Array | string>, what: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > MOST_BYTES) {
      throw new CommandError("input_too_large", EXIT.usage, `${what} has more than ${MOST_BYTES} bytes`, [
        SHORTEN,
      ]);
    }
    chunks.push(bytes);
  }
  return decode(Buffer.concat(chunks), what);
}

function decode(bytes: Buffer, what: string): string {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = isUtf16 ? (first === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError("invalid_encoding", EXIT.usage, `${what} is not valid ${encoding.toUpperCase()}`, [
      "Convert it first: iconv -f <encoding> -t UTF-8",
    ]);
  }
}
