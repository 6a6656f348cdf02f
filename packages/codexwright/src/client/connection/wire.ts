/** A value of the wire as an object; anything else counts as an empty one, so that reading it never throws. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** A string of the wire; `null`, missing and other types are all unset. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** True for a list of strings. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
