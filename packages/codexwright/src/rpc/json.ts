/** What JSON calls an object. */
export type JsonObject = Record<string, unknown>;

/** True for a JSON object; an array is none. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A value as JSON that can stand in a line. `undefined` is `{}`: the server treats a missing `params` as an error for
 * most methods and accepts `{}` for all. Throws for a function or a symbol, which JSON leaves out: the line would not be
 * JSON, and the peer would not answer it.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value ?? {}) as string | undefined;
  if (text === undefined) throw new TypeError("the value has no form in JSON");
  return text;
}

/** Whether a value is nested deeper than this. It does not recurse: the value may be deeper than the stack is high. */
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

/** JSON that is equal for equal values: the order of keys does not count. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    isJsonObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(byKey)) : inner,
  );
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
