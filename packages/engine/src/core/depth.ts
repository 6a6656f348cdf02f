import { isDeepText } from "codexwright/internal";

/** The deepest nesting that a record of a thread may have. Codex reads 128 levels. */
const DEEPEST_RECORD = 512;

/** The deepest nesting of what a model or a client adds to a record. It leaves room for what the record adds. */
export const DEEPEST: number = 256;

/**
 * Parses JSON that others wrote. Throws a `SyntaxError` if it is nested too deeply: parsing 60 MB of opening brackets
 * takes gigabytes, and a value of 100,000 levels cannot be copied or written as JSON again.
 */
export function parseJson(text: string, deepest: number = DEEPEST): unknown {
  if (isDeepText(text, deepest)) throw new SyntaxError(`nested more than ${deepest} levels deep`);
  return JSON.parse(text);
}

export function parseRecordJson(text: string): unknown {
  return parseJson(text, DEEPEST_RECORD);
}
