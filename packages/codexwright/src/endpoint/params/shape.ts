/**
 * A type by name, with what it is wrapped in: `string[]?` is a list of strings, or null; `u32{}` a map to numbers.
 * Names are of {@link Leaf} or of declared types.
 */
export type TypeExpression = string;

/**
 * The fields of a struct, in the order in which the server declares them. A name that ends in `?` or `=` may be left
 * out; with `=` the server has a value of its own for it.
 */
export type Fields = Readonly<Record<string, TypeExpression>>;

/** How the server reads one type: the forms that serde knows. */
export type Shape =
  /** Another name for a type. */
  | TypeExpression
  | {
      readonly struct: Fields;
      /** Cannot be written as a list of its fields' values, as others can. */
      readonly mapOnly?: true;
      /** Refuses fields that it does not know. */
      readonly strict?: true;
    }
  /** One of these words, or a map with one of them as its only key where it has data. */
  | { readonly variants: Readonly<Record<string, TypeExpression | Fields | null>> }
  /** A map that says by one of its members which variant it is. */
  | {
      readonly tag: string;
      readonly variants: Readonly<Record<string, TypeExpression | Fields>>;
      /** What stands beside the fields of a variant. */
      readonly flat?: Readonly<Record<string, TypeExpression>>;
      /** Takes a word that it does not know for its last variant, which has no fields. */
      readonly open?: true;
    }
  /** The first of these that fits; `name` is what errors call it. */
  | { readonly untagged: readonly TypeExpression[]; readonly name?: string };
