import { searchDecoded } from "./encodings/search.ts";
import { merged, replaceRanges, type Range } from "./range.ts";
import { formsOf } from "./secret-forms.ts";

/** What is shorter is not a secret, or would be found everywhere. */
const SHORTEST = 4;
/** A part of a secret that is as long as this is taken away as well. */
const SHORTEST_PART = 12;

/**
 * A text without these secrets, as they are or in JSON, a URL, base64 or hex, whole or in parts of at least 12
 * characters: servers quote what they cannot read.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const wanted = secrets.filter((secret) => secret.length >= SHORTEST).flatMap(formsOf);
  if (wanted.length === 0) return text;
  const parts = partsOf(wanted);
  const lengths = [...new Set([...parts].map(({ length }) => length))];
  const find = (searched: string): Range[] => {
    const found: Range[] = [];
    for (const length of lengths)
      for (let at = 0; at + length <= searched.length; at++)
        if (parts.has(searched.slice(at, at + length))) found.push({ start: at, end: at + length });
    return merged(found);
  };
  const ranges = merged(searchDecoded(text, { shortestRun: 8, find }));
  return replaceRanges(text, ranges, () => "[redacted]");
}

/** All parts of 12 characters of each secret; a shorter one as a whole. */
function partsOf(secrets: readonly string[]): Set<string> {
  const parts = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < SHORTEST_PART) parts.add(secret);
    for (let at = 0; at + SHORTEST_PART <= secret.length; at++)
      parts.add(secret.slice(at, at + SHORTEST_PART));
  }
  return parts;
}
