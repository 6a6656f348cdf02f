import type { Travel } from "./directions.ts";
import type { Declaration, Field, Surface, TypeNode } from "./type-node.ts";

/** The part of a JSON schema that shows which fields may be omitted and how wide numbers are. */
export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly format?: string;
  readonly default?: unknown;
}

/** Schemas, by the same keys as declarations. */
export type Schemas = ReadonlyMap<string, Schema>;

/** Reads the bundle that `codex app-server generate-json-schema` writes. */
export function readSchemas(text: string): Schemas {
  const { definitions } = JSON.parse(text) as { definitions: Record<string, Schema> };
  const { v2 = {}, ...root } = definitions as { v2?: Record<string, Schema> } & Record<string, Schema>;
  const current = Object.entries(v2).map(([name, schema]) => [`v2/${name}`, schema] as const);
  return new Map([...Object.entries(root), ...current]);
}

/**
 * Makes fields optional that a client may omit.
 *
 * The generated TypeScript describes the server's output. So it requires some fields that have a default when the
 * server reads them (`text_elements`, `networkAccess`). The JSON schema does not require these fields. Types that
 * travel in both directions follow the schema too, because older servers do not write those fields either.
 */
export function withSenderOptionals(surface: Surface, schemas: Schemas, travel: Travel): Surface {
  const entries = [...surface].map(([key, declaration]): [string, Declaration] => {
    // The types in `v2/` refer to some types from before `v2/`, so the schema repeats those types under `v2/`.
    const schema = schemas.get(key) ?? schemas.get(`v2/${key}`);
    if (!schema || !travel.toServer.has(key)) return [key, declaration];
    return [key, { ...declaration, type: loosen(declaration.type, schema) }];
  });
  return new Map(entries);
}

function loosen(type: TypeNode, schema: Schema): TypeNode {
  if (type.kind === "object")
    return { ...type, fields: type.fields.map((field) => loosenField(field, schema)) };
  if (type.kind !== "union") return type;
  const alternatives = schema.oneOf ?? schema.anyOf ?? [];
  return {
    ...type,
    types: type.types.map((member) => {
      const match = alternatives.find((alternative) => hasSameTag(member, alternative));
      return match ? loosen(member, match) : member;
    }),
  };
}

function loosenField(field: Field, schema: Schema): Field {
  const isKnown = schema.properties?.[field.name] !== undefined;
  return isKnown && schema.required?.includes(field.name) !== true ? { ...field, optional: true } : field;
}

function hasSameTag(member: TypeNode, schema: Schema): boolean {
  if (member.kind !== "object") return false;
  return member.fields.some(({ name, type }) => {
    const values = schema.properties?.[name]?.enum;
    return type.kind === "literal" && values?.length === 1 && JSON.stringify(values[0]) === type.text;
  });
}
