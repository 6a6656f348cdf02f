/** Returns the value if it is a string, else "". */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
