/**
 * One kind of secrets, by its shape. A table of them is what the redactor looks for, and what its test makes its samples
 * from.
 */
export interface Shape {
  readonly kind: string;
  /** In lower case. The pattern is only tried if one of them is in the text. */
  readonly keywords: readonly string[];
  /**
   * `at`: the match begins with the keyword. `near`: it is a few hundred characters around it. `text`: anywhere; the
   * pattern must take time in proportion to the text by itself.
   */
  readonly where: "at" | "near" | "text";
  /** With the flag `d`, without `g` and `y`. */
  readonly pattern: RegExp;
  /** The group that is the secret; default: the first one that matched, else the whole match. */
  readonly group?: number;
  /** A secret has more bits of entropy for each character. */
  readonly entropy?: number;
  /** Whether a match is one, if its shape alone does not tell. */
  readonly holds?: (match: RegExpExecArray) => boolean;
  /**
   * If a match does not hold, the search goes on where its secret begins, and not behind it. The pattern must be of a
   * bounded length then.
   */
  readonly again?: true;
  /** Texts with such a secret, as patterns: the first group is the secret. Default: `pattern` itself. */
  readonly samples?: readonly string[];
}

export function hasDigit(text: string): boolean {
  return /\d/.test(text);
}
