/** A type as the generator represents it; `doc` is the upstream comment before it. */
export type TypeNode = { readonly doc?: string } & (
  | { readonly kind: "ref"; readonly name: string; readonly args: readonly TypeNode[] }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "object"; readonly fields: readonly Field[] }
  | { readonly kind: "map"; readonly key: TypeNode; readonly value: TypeNode; readonly optional: boolean }
  | { readonly kind: "union" | "intersection" | "tuple"; readonly types: readonly TypeNode[] }
);

/** One property of an object type. */
export interface Field {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeNode;
  readonly doc?: string;
}

/** One exported type of a surface. Its references are already resolved to keys (`v2/Thread`, `RequestId`). */
export interface Declaration {
  readonly key: string;
  readonly name: string;
  readonly doc: string | undefined;
  readonly type: TypeNode;
}

/** All declarations of one run of Codex's generator, by key. */
export type Surface = ReadonlyMap<string, Declaration>;

/** Creates a reference without type arguments. */
export function ref(name: string): TypeNode {
  return { kind: "ref", name, args: [] };
}

/** The members of a union, or the type itself if it is not a union. */
export function membersOf(type: TypeNode): readonly TypeNode[] {
  return type.kind === "union" ? type.types : [type];
}

/** Copies a type and renames every reference. */
export function mapRefs(type: TypeNode, rename: (name: string) => string): TypeNode {
  const each = (inner: TypeNode): TypeNode => mapRefs(inner, rename);
  switch (type.kind) {
    case "ref":
      return { ...type, name: rename(type.name), args: type.args.map(each) };
    case "literal":
      return type;
    case "map":
      return { ...type, key: each(type.key), value: each(type.value) };
    case "object":
      return { ...type, fields: type.fields.map((field) => ({ ...field, type: each(field.type) })) };
    default:
      return { ...type, types: type.types.map(each) };
  }
}

/** Lists every name that a type refers to, including primitives. */
export function refsOf(type: TypeNode): string[] {
  const names: string[] = [];
  mapRefs(type, (name) => {
    names.push(name);
    return name;
  });
  return names;
}

/**
 * Returns the named fields of an object type, through references, intersections and unions.
 *
 * For a union these are the fields of all members: everything that a caller may write, not what a reader can
 * rely on.
 */
export function fieldsOf(type: TypeNode, surface: Surface): Field[] {
  switch (type.kind) {
    case "object":
      return [...type.fields];
    case "ref": {
      const declaration = surface.get(type.name);
      return declaration ? fieldsOf(declaration.type, surface) : [];
    }
    case "union":
    case "intersection": {
      const fields = new Map<string, Field>();
      for (const member of type.types) {
        for (const field of fieldsOf(member, surface)) {
          if (!fields.has(field.name)) fields.set(field.name, field);
        }
      }
      return [...fields.values()];
    }
    default:
      return [];
  }
}
