/**
 * The shape of one kind of secret. The redactor searches for these shapes, and its test generates samples from them.
 */
export interface Shape {
  readonly kind: string;
  /** In lower case. The pattern is tried only if the text contains one of them. */
  readonly keywords: readonly string[];
  /**
   * `at`: the match begins with the keyword. `near`: the match is within a few hundred characters of the keyword.
   * `text`: anywhere; the pattern itself must run in linear time.
   */
  readonly where: "at" | "near" | "text";
  /** Must have the flag `d`, and neither `g` nor `y`. */
  readonly pattern: RegExp;
  /** The group that is the secret. Default: the first group that matched, or the whole match. */
  readonly group?: number;
  /** The secret must have more bits of entropy per character than this. */
  readonly entropy?: number;
  /** Decides whether a match is a secret, if the shape alone is not enough. */
  readonly holds?: (match: RegExpExecArray) => boolean;
  /**
   * If `holds` rejects a match, the search continues at the start of its secret instead of after the match. The pattern
   * must have a bounded length then.
   */
  readonly again?: true;
  /** Patterns for texts with such a secret; the first group is the secret. Default: `pattern` itself. */
  readonly samples?: readonly string[];
}

export function hasDigit(text: string): boolean {
  return /\d/.test(text);
}
