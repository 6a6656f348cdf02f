/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** True for a JSON object, false for an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Serializes a value as JSON for use in a line. `undefined` becomes `{}`, because the server rejects missing `params`
 * for most methods but accepts `{}` for all of them. Throws for a function or a symbol: JSON omits these, so the line
 * would be invalid and the peer would not answer it.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value ?? {}) as string | undefined;
  if (text === undefined) throw new TypeError("the value cannot be represented in JSON");
  return text;
}

/**
 * Whether a value is nested deeper than `most`. Does not recurse, because the value may be too deep for the stack.
 */
export function isDeeperThan(value: unknown, most: number): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= most) return true;
    level = level.flatMap((each) => Object.values(each)).filter(isNested);
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Serializes equal values to equal JSON, regardless of the order of keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    isJsonObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(byKey)) : inner,
  );
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
