/**
 * The name of a type with its wrappers: `string[]?` is a list of strings or null, and `u32{}` is a map to numbers. The
 * name is a {@link Leaf} or a declared type.
 */
export type TypeExpression = string;

/**
 * The fields of a struct, in the declaration order of the server. A field whose name ends in `?` or `=` is optional.
 * With `=`, the server has a default for it.
 */
export type Fields = Readonly<Record<string, TypeExpression>>;

/** How the server reads one type, in the forms that serde supports. */
export type Shape =
  /** An alias of a type. */
  | TypeExpression
  | {
      readonly struct: Fields;
      /** Cannot be written as a list of its field values, unlike other structs. */
      readonly mapOnly?: true;
      /** Rejects unknown fields. */
      readonly strict?: true;
    }
  /** One of these names or, for a variant with data, a map with that name as its only key. */
  | { readonly variants: Readonly<Record<string, TypeExpression | Fields | null>> }
  /** A map with one member that names the variant. */
  | {
      readonly tag: string;
      readonly variants: Readonly<Record<string, TypeExpression | Fields>>;
      /** A type that is flattened into the fields of a variant. */
      readonly flat?: Readonly<Record<string, TypeExpression>>;
      /** Reads an unknown name as the last variant, which has no fields. */
      readonly open?: true;
    }
  /** The first of these types that fits. Errors use `name`. */
  | { readonly untagged: readonly TypeExpression[]; readonly name?: string };
