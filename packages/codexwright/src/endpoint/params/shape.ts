/**
 * The name of a type with its wrappers: `string[]?` is a list of strings or null, and `u32{}` is a map to numbers. The
 * name is a {@link Leaf} or a declared type.
 */
export type TypeExpression = string;

/**
 * The fields of a struct, in the declaration order of the server. A field whose name ends in `?` or `=` is optional. If
 * it ends in `=`, the server has a default for the field.
 */
export type Fields = Readonly<Record<string, TypeExpression>>;

/** How the server reads one type, in the forms that serde supports. */
export type Shape =
  /** An alias of a type. */
  | TypeExpression
  | {
      readonly struct: Fields;
      /** True if the struct cannot be written as a list of its field values, unlike other structs. */
      readonly mapOnly?: true;
      /** Rejects unknown fields. */
      readonly strict?: true;
    }
  /** A variant: one of these names. A variant with data is a map with the name as its only key. */
  | { readonly variants: Readonly<Record<string, TypeExpression | Fields | null>> }
  /** A map in which one member names the variant. */
  | {
      readonly tag: string;
      readonly variants: Readonly<Record<string, TypeExpression | Fields>>;
      /** A type that is flattened into the fields of a variant. */
      readonly flat?: Readonly<Record<string, TypeExpression>>;
      /** Reads an unknown name as the last variant, which has no fields. */
      readonly open?: true;
    }
  /** The first of these types that fits is used. Errors refer to the type as `name`. */
  | { readonly untagged: readonly TypeExpression[]; readonly name?: string };
