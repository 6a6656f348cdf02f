import { declaredMethods } from "./methods.ts";
import {
  LEAVES,
  MAPS_ONLY,
  NAMES,
  OMISSIONS,
  OPEN,
  SCHEMA_NAMES,
  UNTAGGED,
  VARIANTS,
} from "./param-facts.ts";
import type { Schema, Schemas } from "./sender-optional.ts";
import { membersOf, type Field, type Surface, type TypeNode } from "./type-node.ts";

/**
 * The fields of a struct by name, in the server's declaration order. The suffixes `?` and `=` mark fields
 * that may be omitted.
 */
export type ShapeFields = Readonly<Record<string, string>>;

/** How the server parses one type. Must match `Shape` in the library's endpoint. */
export type ShapeData =
  | string
  | { readonly struct: ShapeFields; readonly mapOnly?: true; readonly strict?: true }
  | { readonly variants: Readonly<Record<string, string | ShapeFields | null>> }
  | {
      readonly tag: string;
      readonly variants: Readonly<Record<string, string | ShapeFields>>;
      readonly flat?: Readonly<Record<string, string>>;
      readonly open?: true;
    }
  | { readonly untagged: readonly string[]; readonly name?: string };

/**
 * The params that the server accepts: the type by method (with `?` if they may be omitted), and every type
 * they need.
 */
export interface ParamShapes {
  readonly methods: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, ShapeData>;
}

/**
 * Reads the params of every client request. Joins Codex's two outputs: the TypeScript has the order, the JSON
 * schema the number widths.
 */
export function paramShapes(surface: Surface, schemas: Schemas): ParamShapes {
  const reader = new ShapeReader(surface, schemas);
  const methods = new Map<string, string>();
  for (const { name, params, optional } of declaredMethods(surface, "clientRequests")) {
    const type = params ? reader.read(params, undefined, name) : "unit";
    methods.set(name, optional ? `${type}?` : type);
  }
  return { methods, types: reader.types };
}

class ShapeReader {
  readonly types = new Map<string, ShapeData>();
  readonly #surface: Surface;
  readonly #schemas: Schemas;

  constructor(surface: Surface, schemas: Schemas) {
    this.#surface = surface;
    this.#schemas = schemas;
  }

  /** Returns the expression of a type and declares the types it refers to. `path` names anonymous types. */
  read(type: TypeNode, schema: Schema | undefined, path: string): string {
    const members = membersOf(type).filter((member) => !isNull(member));
    const inner = this.#readMembers(members, type, schema, path);
    const known = LEAVES[path];
    if (known !== undefined) return known;
    return members.length < membersOf(type).length || isNullable(schema) ? `${inner}?` : inner;
  }

  #readMembers(
    members: readonly TypeNode[],
    type: TypeNode,
    schema: Schema | undefined,
    path: string,
  ): string {
    const [only] = members;
    if (members.length === 1 && only) return this.#readOne(only, schema, path);
    if (members.length === 0) throw new Error(`${path}: only null is allowed`);
    return this.#declare(path, () =>
      this.#readUnion({ ...type, kind: "union", types: members }, schema, path),
    );
  }

  #readOne(type: TypeNode, schema: Schema | undefined, path: string): string {
    switch (type.kind) {
      case "ref":
        return this.#readRef(type, schema, path);
      case "map":
        return `${this.read(type.value, additional(schema), path)}{}`;
      default:
        return this.#declare(path, () => this.#readDeclared(type, schema, path));
    }
  }

  #readRef(type: Extract<TypeNode, { kind: "ref" }>, schema: Schema | undefined, path: string): string {
    switch (type.name) {
      case "string":
        return "string";
      case "boolean":
        return "boolean";
      case "number":
        return numberOf(schema, path);
      case "unknown":
      case "serde_json/JsonValue":
        return "any";
      case "Array":
        return `${this.read(type.args[0]!, itemsOf(schema), path)}[]`;
    }
    const declaration = this.#surface.get(type.name);
    if (!declaration) throw new Error(`${path}: no type ${type.name}`);
    const own =
      this.#schemas.get(SCHEMA_NAMES[declaration.name] ?? type.name) ??
      this.#schemas.get(`v2/${type.name}`) ??
      schema;
    const leaf = LEAVES[declaration.name];
    if (leaf !== undefined) return leaf;
    if (isEmpty(declaration.type))
      return this.#declare(declaration.name, () => strictly({ struct: {} }, own));
    if (declaration.type.kind === "ref") return this.read(declaration.type, own, declaration.name);
    return this.#declare(declaration.name, () => this.#readDeclared(declaration.type, own, declaration.name));
  }

  /** Declares a type under its name, once. A type may refer to itself. */
  #declare(name: string, make: () => ShapeData): string {
    const called = NAMES[name] ?? name;
    if (!this.types.has(called)) {
      this.types.set(called, "any");
      this.types.set(called, make());
    }
    return called;
  }

  #readDeclared(type: TypeNode, schema: Schema | undefined, name: string): ShapeData {
    switch (type.kind) {
      case "object":
        if (tagOf(type) !== undefined) return this.#readUnion({ kind: "union", types: [type] }, schema, name);
        return {
          ...strictly({ struct: this.#fields(type.fields, schema, name) }, schema),
          ...(MAPS_ONLY.has(name) && { mapOnly: true as const }),
        };
      case "union":
        return this.#readUnion(type, schema, name);
      case "literal":
        return { variants: { [text(type)]: null } };
      case "map":
        return `${this.read(type.value, additional(schema), name)}{}`;
      case "intersection":
        return this.#readUnion({ kind: "union", types: [type] }, schema, name);
      default:
        throw new Error(`${name}: cannot read a ${type.kind}`);
    }
  }

  #readUnion(
    union: Extract<TypeNode, { kind: "union" | "intersection" | "tuple" }>,
    schema: Schema | undefined,
    name: string,
  ): ShapeData {
    const members = union.types;
    const untagged = UNTAGGED[name];
    const tag = untagged === undefined ? tagOf(members[0]!) : undefined;
    if (tag !== undefined && members.every((member) => tagOf(member) === tag)) {
      return this.#readTagged(tag, members, schema, name);
    }
    if (
      untagged === undefined &&
      members.every((member) => member.kind === "literal" || isExternal(member))
    ) {
      const variants = Object.fromEntries(members.map((member) => this.#external(member, schema, name)));
      const words = VARIANTS[name] ?? Object.keys(variants);
      return { variants: Object.fromEntries(words.map((word) => [word, variants[word] ?? null])) };
    }
    return {
      untagged: members.map((member, index) =>
        this.read(member, (schema?.anyOf ?? schema?.oneOf)?.[index], `${name}.${index}`),
      ),
      ...(untagged !== undefined && untagged !== name && { name: untagged }),
    };
  }

  #readTagged(
    tag: string,
    members: readonly TypeNode[],
    schema: Schema | undefined,
    name: string,
  ): ShapeData {
    const variants: Record<string, string | ShapeFields> = {};
    const flat: Record<string, string> = {};
    for (const member of members) {
      const value = tagValue(member, tag);
      const own = alternativeOf(schema, tag, value);
      const parts = member.kind === "intersection" ? member.types : [member];
      const fields = parts.flatMap((part) => (part.kind === "object" ? part.fields : []));
      const rest = parts.filter((part) => part.kind !== "object");
      const named = fields.filter((field) => field.name !== tag);
      const [inner] = rest;
      if (inner && named.length === 0 && inner.kind === "ref") {
        variants[value] = this.read(inner, own, `${name}.${value}`);
        continue;
      }
      variants[value] = this.#fields(named, own, `${name}.${value}`);
      if (inner) flat[value] = this.read(inner, own, `${name}.${value}.`);
    }
    return {
      tag,
      variants,
      ...(Object.keys(flat).length > 0 && { flat }),
      ...(OPEN.has(name) && { open: true as const }),
    };
  }

  #external(
    member: TypeNode,
    schema: Schema | undefined,
    name: string,
  ): [string, string | ShapeFields | null] {
    if (member.kind === "literal") return [text(member), null];
    const field = (member as Extract<TypeNode, { kind: "object" }>).fields[0]!;
    const own = (schema?.oneOf ?? schema?.anyOf)?.find((one) => one.properties?.[field.name]);
    const inner = own?.properties?.[field.name];
    const { type } = field;
    if (type.kind === "object")
      return [field.name, this.#fields(type.fields, inner, `${name}.${field.name}`)];
    return [field.name, this.read(type, inner, `${name}.${field.name}`)];
  }

  #fields(fields: readonly Field[], schema: Schema | undefined, owner: string): ShapeFields {
    const entries = fields.map((field) => {
      const own = schema?.properties?.[field.name];
      const path = `${owner}.${field.name}`;
      return [`${field.name}${this.#omission(field, own, schema, path)}`, this.read(field.type, own, path)];
    });
    return Object.fromEntries(entries) as ShapeFields;
  }

  /** The suffix of a field name if the field may be omitted. */
  #omission(field: Field, own: Schema | undefined, schema: Schema | undefined, path: string): string {
    const fact = OMISSIONS[path];
    if (fact !== undefined) return fact;
    // `true` is also a schema: it accepts any value.
    if (typeof own === "object" && "default" in own) return "=";
    const nullable = membersOf(field.type).some(isNull) || isNullable(own);
    const required =
      own === undefined ? !field.optional && !nullable : schema?.required?.includes(field.name);
    if (required) return "";
    return nullable ? "?" : "=";
  }
}

/**
 * Whether the server accepts `null`. Only the schema shows this: the TypeScript output omits `null` if the server never
 * sends it.
 */
function isNullable(schema: Schema | undefined): boolean {
  if (typeof schema !== "object") return false;
  return [schema.type].flat().includes("null") || schema.anyOf?.some((one) => one.type === "null") === true;
}

/** Recognises `Record<string, never>`: a struct without fields. */
function isEmpty(type: TypeNode): boolean {
  return type.kind === "ref" && type.name === "Record";
}

/** Marks a struct as strict if it rejects unknown fields. */
function strictly(
  shape: { readonly struct: ShapeFields },
  schema: Schema | undefined,
): { readonly struct: ShapeFields; readonly strict?: true } {
  return schema?.additionalProperties === false ? { ...shape, strict: true } : shape;
}

function isNull(type: TypeNode): boolean {
  return type.kind === "ref" && (type.name === "null" || type.name === "undefined");
}

function text(type: Extract<TypeNode, { kind: "literal" }>): string {
  return JSON.parse(type.text) as string;
}

/** Recognises `{ "granular": … }`: the name of the variant is the only key. */
function isExternal(type: TypeNode): boolean {
  return type.kind === "object" && type.fields.length === 1 && type.fields[0]!.type.kind !== "literal";
}

/** The key whose literal value distinguishes the members of a union. */
function tagOf(type: TypeNode): string | undefined {
  if (type.kind === "intersection") return type.types.map(tagOf).find((tag) => tag !== undefined);
  if (type.kind !== "object") return undefined;
  return type.fields.find((field) => field.type.kind === "literal")?.name;
}

function tagValue(type: TypeNode, tag: string): string {
  const parts = type.kind === "intersection" ? type.types : [type];
  for (const part of parts) {
    if (part.kind !== "object") continue;
    const literal = part.fields.find((field) => field.name === tag)?.type;
    if (literal?.kind === "literal") return text(literal);
  }
  throw new Error(`A member without ${tag}`);
}

function alternativeOf(schema: Schema | undefined, tag: string, value: string): Schema | undefined {
  return (schema?.oneOf ?? schema?.anyOf)?.find((one) => one.properties?.[tag]?.enum?.[0] === value);
}

function itemsOf(schema: Schema | undefined): Schema | undefined {
  return schema?.items ?? schema?.anyOf?.find((one) => one.items)?.items;
}

function additional(schema: Schema | undefined): Schema | undefined {
  const found = schema?.additionalProperties ?? undefined;
  return typeof found === "object" ? found : undefined;
}

const WIDTHS: Readonly<Record<string, string>> = {
  double: "f64",
  float: "f32",
  int32: "i32",
  int64: "i64",
  uint: "usize",
  uint16: "u16",
  uint32: "u32",
  uint64: "u64",
  uint8: "u8",
};

function numberOf(schema: Schema | undefined, path: string): string {
  const width = schema?.format === undefined ? undefined : WIDTHS[schema.format];
  if (width === undefined) throw new Error(`${path}: a number of unknown width; add it to param-facts.ts`);
  return width;
}
