/** The most tokens that a response can have. A larger number is not a count. */
const MOST_TOKENS = 1e12;

/** Returns a number of tokens that a server told, or 0 if it is not one. */
export function countOf(value: unknown): number {
  return typeof value === "number" && value >= 0 && value <= MOST_TOKENS ? Math.floor(value) : 0;
}
