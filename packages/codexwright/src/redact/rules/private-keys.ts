import type { Range } from "../range.ts";
import type { Shape } from "./shape.ts";

const BODY = "((?:[A-Za-z0-9+/]{64}\n){6}[A-Za-z0-9+/]{30}==)";

export const PRIVATE_KEYS: readonly Shape[] = [
  {
    kind: "private key",
    keywords: ["private key"],
    where: "text",
    // Key data must follow the header, so that a program that searches for keys does not match. A truncated key matches
    // up to the end of the text.
    pattern:
      /-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----(?=(?:[\s+>|#-]|\\[rn])*(?:[A-Za-z0-9+/]{4}|[A-Z][\w-]*:|$))[^]*?(?:-----END[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----|$)/d,
    samples: [
      `-----BEGIN RSA PRIVATE KEY-----\n${BODY}\n-----END RSA PRIVATE KEY-----`,
      `-----BEGIN OPENSSH PRIVATE KEY-----\n${BODY}\n-----END OPENSSH PRIVATE KEY-----`,
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${BODY}\n=Ab1c\n-----END PGP PRIVATE KEY BLOCK-----`,
      `-----BEGIN EC PRIVATE KEY-----\n${BODY}`,
    ],
  },
  {
    kind: "private key of PuTTY",
    keywords: ["private-lines:"],
    where: "at",
    pattern: /[Pp]rivate-[Ll]ines: {0,8}\d{1,4}\s{1,4}((?:[A-Za-z0-9+/=]{1,80}\s{1,4}){1,256})/d,
    samples: [
      `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 6\n((?:[A-Za-z0-9+/]{64}\n){6})Private-MAC: 00`,
    ],
  },
];

const END = /-----END[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----/g;
/** A line of key data, with or without the sign of a diff or a quotation. The last lines may be short. */
const LINE = /^[ \t]*[+>|#-]?[ \t]*(?:[A-Za-z0-9+/]{32,}={0,2}|=?[A-Za-z0-9+/]{1,76}={0,2})[ \t]*\r?$/;
const LONGEST_LINE = 512;
/** The minimum length of the key data. */
const SHORTEST = 64;

/** Finds keys whose beginnings are missing. Returns the lines of base64 before an END marker. */
export function keyRests(text: string): Range[] {
  const found: Range[] = [];
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(END)) {
    let start = lineStart(text, index, from);
    for (let short = 0; start > from;) {
      const line = lineStart(text, start - 1, from);
      const body = text.slice(line, start - 1);
      if (!LINE.test(body) || (body.trim().length < 32 && ++short > 2)) break;
      start = line;
    }
    from = index + mark.length;
    if (index - start >= SHORTEST) found.push({ start, end: from });
  }
  return found;
}

/**
 * Returns the start of the line that ends at `end`. Does not look before `from`, nor further back than the longest key
 * line.
 */
function lineStart(text: string, end: number, from: number): number {
  const first = Math.max(from, end - LONGEST_LINE);
  return first + text.slice(first, end).lastIndexOf("\n") + 1;
}
