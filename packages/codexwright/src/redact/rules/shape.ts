/**
 * The shape of one kind of secret. The redactor searches for these shapes, and its test generates samples from them.
 */
export interface Shape {
  readonly kind: string;
  /** Keywords in lower case. The pattern is tried only if the text contains one of them. */
  readonly keywords: readonly string[];
  /**
   * The positions at which the pattern is tried:
   * - `at`: the match begins with the keyword
   * - `near`: the match is within a few hundred characters of the keyword
   * - `text`: anywhere in the text; the pattern itself must run in linear time
   */
  readonly where: "at" | "near" | "text";
  /** Must have the flag `d`, and neither `g` nor `y`. */
  readonly pattern: RegExp;
  /**
   * The number of the group that captures the secret. Default: the first group that matched, or else the whole match.
   */
  readonly group?: number;
  /** The secret must have more bits of entropy per character than this. */
  readonly entropy?: number;
  /** Decides whether a match is a secret, if the shape alone is not enough. */
  readonly holds?: (match: RegExpExecArray) => boolean;
  /**
   * If true and `holds` rejects a match, the search continues at the start of the rejected secret instead of after the
   * match. The pattern must then have a bounded length.
   */
  readonly again?: true;
  /**
   * Patterns from which the test generates texts with such a secret. The first group is the secret. Default: `pattern`
   * itself.
   */
  readonly samples?: readonly string[];
}

export function hasDigit(text: string): boolean {
  return /\d/.test(text);
}
