/** Reads a wire value as an object. Any other value becomes an empty object, so that reading it never throws. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** Reads a wire value as a string; `undefined` if it is `null`, missing or of another type. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Whether the value is a list of strings. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
