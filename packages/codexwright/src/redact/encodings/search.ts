import type { Range } from "../range.ts";
import { jsonUnescaped, percentDecoded } from "./escapes.ts";
import { decodedRuns } from "./runs.ts";

/** How many encodings are taken off, one below the other: JSON in JSON in base64, for instance. */
const DEEPEST = 3;

/** What is looked for in a text and in all that is decoded from it. */
export interface Wanted {
  /** The shortest run of base64 that is decoded. */
  readonly shortestRun: number;
  find(text: string): Range[];
}

/**
 * Finds something in a text, also where it is escaped for JSON or a URL, and in base64 and hex. Of a run of base64 or hex,
 * the whole goes.
 *
 * @param levels how many encodings may still be taken off
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
