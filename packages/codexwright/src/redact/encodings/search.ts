import type { Range } from "../range.ts";
import { jsonUnescaped, percentDecoded } from "./escapes.ts";
import { decodedRuns } from "./runs.ts";

/** How many nested encodings are decoded, such as JSON in JSON in base64. */
const DEEPEST = 3;

/** The search to run on a text and on everything that is decoded from it. */
export interface Wanted {
  /** The length of the shortest base64 run that is decoded. */
  readonly shortestRun: number;
  find(text: string): Range[];
}

/**
 * Searches a text, also inside JSON escapes, percent-encoding, base64 and hex. If a match is inside base64 or hex, the
 * returned range covers the whole encoded run.
 *
 * @param levels how many nested encodings may still be decoded
 */
export function searchDecoded(text: string, wanted: Wanted, levels: number = DEEPEST): Range[] {
  const found = wanted.find(text);
  if (levels === 0) return found;
  for (const decoded of [jsonUnescaped(text), percentDecoded(text)])
    if (decoded)
      for (const range of searchDecoded(decoded.text, wanted, levels - 1))
        found.push(decoded.toSource(range));
  for (const run of decodedRuns(text, wanted.shortestRun)) {
    if (found.at(-1)?.start === run.start) continue;
    if (searchDecoded(run.text, wanted, Math.min(levels - 1, 1)).length > 0)
      found.push({ start: run.start, end: run.end });
  }
  return found;
}
