/** Returns the value if it is text, otherwise an empty text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
