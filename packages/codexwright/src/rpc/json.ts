/** What JSON calls an object. */
export type JsonObject = Record<string, unknown>;

/** True for a JSON object; an array is none. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
