/** Maximum length of a quoted value: long enough for a misspelt word, too short for most secrets. */
const LONGEST_QUOTE = 40;

/** Maximum length of a name or a number in a message. Either may be data that the caller passed in the wrong place. */
const LONGEST = 64;

export function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Describes an invalid value in a message. */
export function shown(value: unknown, quotes: boolean): string {
  if (typeof value === "string") {
    if (value === "") return "an empty string";
    return quotes && value.length <= LONGEST_QUOTE ? JSON.stringify(value) : "a string";
  }
  if (typeof value === "function") return "a function";
  // Converting a long bigint takes time in proportion to the square of its length, and the digits do not help the
  // reader.
  if (typeof value === "bigint") return "a bigint";
  if (typeof value !== "object" || value === null) return shortened(String(value));
  if (Array.isArray(value)) return "an array";
  const kind = kindOf(value);
  return kind === "Object" ? "an object" : `a value of type ${shortened(kind)}`;
}

/** Quotes a name that the caller chose, or describes the value that was passed instead of a name. */
export function shownName(name: unknown): string {
  return typeof name === "string" ? JSON.stringify(shortened(name)) : shown(name, false);
}

/**
 * Returns `Object` for plain objects and instances of ordinary classes, else the built-in type, such as
 * `AbortSignal`.
 */
export function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
