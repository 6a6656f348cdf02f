import { searchDecoded } from "./encodings/search.ts";
import { merged, replaceRanges, type Range } from "./range.ts";
import { formsOf } from "./secret-forms.ts";

/** Shorter texts are not removed: they are not secrets, or they would match everywhere. */
const SHORTEST = 4;
/** Parts of a secret are removed if they are at least this long. */
const SHORTEST_PART = 12;

/**
 * Removes these secrets from a text, including their encodings in JSON, URLs, base64 and hex. Also removes parts of a
 * secret that have at least 12 characters. Needed because servers quote input that they cannot parse.
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

/** Returns every part of 12 characters of each secret. A shorter secret is returned as a whole. */
function partsOf(secrets: readonly string[]): Set<string> {
  const parts = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < SHORTEST_PART) parts.add(secret);
    for (let at = 0; at + SHORTEST_PART <= secret.length; at++)
      parts.add(secret.slice(at, at + SHORTEST_PART));
  }
  return parts;
}
