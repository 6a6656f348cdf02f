/** A value that should be text, or none. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
