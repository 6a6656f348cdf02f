const LONGEST = 2000;

/** The start of an error message. A tracker or a model can make messages of any length. */
export function shortened(text: string): string {
  // Not in the middle of a character of two units.
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
