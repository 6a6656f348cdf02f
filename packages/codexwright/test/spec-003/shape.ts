/** Fields whose documented value comes from a small set. Clients compare these values. */
const WORDS: ReadonlySet<string> = new Set(["authMode", "mode", "scope", "status", "stream", "type"]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

/**
 * Returns how a real value deviates from a documented one: missing fields, other types, and different words. Fields
 * that the document does not show are not deviations. A documented null means that the field may be null.
 */
export function deviations(documented: unknown, real: unknown, at = ""): string[] {
  if (documented === null) return real === undefined ? [`${at} is missing`] : [];
  if (real === undefined) return [`${at} is missing`];
  if (kindOf(documented) !== kindOf(real))
    return [`${at} is ${kindOf(real)}, documented ${kindOf(documented)}`];
  if (Array.isArray(documented) && Array.isArray(real)) {
    const [first] = documented as unknown[];
    return first === undefined || real.length === 0 ? [] : deviations(first, real[0], `${at}[]`);
  }
  if (isObject(documented) && isObject(real)) {
    return Object.entries(documented).flatMap(([name, value]) => {
      const place = at === "" ? name : `${at}.${name}`;
      const word = WORDS.has(name) && typeof value === "string" && typeof real[name] === "string";
      if (word && value !== real[name]) return [`${place} is "${String(real[name])}", documented "${value}"`];
      return deviations(value, real[name], place);
    });
  }
  return [];
}
