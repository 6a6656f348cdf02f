import { LEAVES } from "./leaves.ts";
import { TYPES } from "./params.gen.ts";
import type { Fields, Shape, TypeExpression } from "./shape.ts";
import {
  invalidLength,
  invalidType,
  invalidValue,
  Misfit,
  missingField,
  tooLong,
  unknownField,
  unknownVariant,
} from "./texts.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Throws a `Misfit` if the real server cannot read the value as this type. If there are several problems, reports the
 * one that the real server reports.
 */
export function readValue(type: TypeExpression, value: unknown): void {
  if (type.endsWith("?")) {
    if (value !== null && value !== undefined) readValue(type.slice(0, -1), value);
    return;
  }
  if (type.endsWith("[]")) {
    if (!Array.isArray(value)) throw invalidType(value, "a sequence");
    for (const item of value) readValue(type.slice(0, -2), item);
    return;
  }
  if (type.endsWith("{}")) {
    if (!isMap(value)) throw invalidType(value, "a map");
    for (const item of Object.values(value)) readValue(type.slice(0, -2), item);
    return;
  }
  const leaf = LEAVES[type];
  if (leaf) return leaf(value);
  if (type === "dynamicTools") return readDynamicTools(value);
  readShape(type, TYPES[type]!, value);
}

/** All tools must have the same format: either the current format, or the format before 0.145. */
function readDynamicTools(value: unknown): void {
  readValue("any[]", value);
  const tools = value as readonly unknown[];
  const isLegacy = (tool: unknown): boolean =>
    !has(tool, "type") || has(tool, "namespace") || has(tool, "exposeToContext");
  const inner = (tool: unknown): readonly unknown[] =>
    isMap(tool) && Array.isArray(tool["tools"]) ? (tool["tools"] as unknown[]) : [];
  const legacy = tools.some((tool) => isLegacy(tool) || inner(tool).some(isLegacy));
  if (legacy && tools.some((tool) => has(tool, "type"))) {
    throw new Misfit("dynamic tools must use either canonical or legacy format consistently");
  }
  for (const tool of tools) {
    if (legacy) readStruct("LegacyDynamicToolSpec", { struct: LEGACY_TOOL }, tool);
    else readValue("DynamicToolSpec", tool);
  }
}

const LEGACY_TOOL: Fields = {
  "namespace?": "string?",
  name: "string",
  description: "string",
  inputSchema: "any",
  "deferLoading?": "boolean?",
  "exposeToContext?": "boolean?",
};

function has(value: unknown, name: string): boolean {
  return isMap(value) && Object.hasOwn(value, name);
}

function readShape(name: string, shape: Shape, value: unknown): void {
  if (typeof shape === "string") readValue(shape, value);
  else if ("struct" in shape) readStruct(name, shape, value);
  else if ("untagged" in shape) readUntagged(shape.name ?? name, shape.untagged, value);
  else if ("tag" in shape) readTagged(name, shape, value);
  else readVariant(name, shape.variants, value);
}

function readStruct(name: string, shape: Extract<Shape, { struct: Fields }>, value: unknown): void {
  const what = `struct ${name}`;
  if (Array.isArray(value) && !shape.mapOnly) return readSequence(what, shape.struct, value);
  if (!isMap(value)) throw invalidType(value, what);
  readFields(shape.struct, value, shape.strict);
}

/** Members are checked in the order of the message. Missing fields are reported last, in declaration order. */
function readFields(fields: Fields, members: Members, strict?: boolean): void {
  const { types, required } = indexOf(fields);
  for (const [name, value] of Object.entries(members)) {
    const type = types.get(name);
    if (type !== undefined) readValue(type, value);
    else if (strict) throw unknownField(name, [...types.keys()]);
  }
  for (const name of required) if (!Object.hasOwn(members, name)) throw missingField(name);
}

interface Index {
  readonly types: ReadonlyMap<string, TypeExpression>;
  readonly required: readonly string[];
}

const INDEXES = new WeakMap<Fields, Index>();

/** Returns the fields by name. Created when a struct is first read. */
function indexOf(fields: Fields): Index {
  const known = INDEXES.get(fields);
  if (known) return known;
  const index = {
    types: new Map(Object.entries(fields).map(([field, type]) => [bare(field), type])),
    required: Object.keys(fields).filter((field) => bare(field) === field),
  };
  INDEXES.set(fields, index);
  return index;
}

/** A struct may also be written as a list of its field values. */
function readSequence(what: string, fields: Fields, values: readonly unknown[]): void {
  const entries = Object.entries(fields);
  for (const [index, [field, type]] of entries.entries()) {
    if (index < values.length) readValue(type, values[index]);
    else if (!field.endsWith("=")) throw invalidLength(index, what, entries.length);
  }
  if (values.length > entries.length) throw tooLong(values.length, entries.length);
}

function readUntagged(name: string, types: readonly TypeExpression[], value: unknown): void {
  if (types.some((type) => fits(type, value))) return;
  throw new Misfit(`data did not match any variant of untagged enum ${name}`);
}

function fits(type: TypeExpression, value: unknown): boolean {
  try {
    readValue(type, value);
    return true;
  } catch (error) {
    if (error instanceof Misfit) return false;
    throw error;
  }
}

function readTagged(name: string, shape: Extract<Shape, { tag: string }>, value: unknown): void {
  const { tag, variants } = shape;
  const isList = Array.isArray(value);
  if (!isList && !isMap(value)) throw invalidType(value, `internally tagged enum ${name}`);
  if (isList ? value.length === 0 : !Object.hasOwn(value, tag)) throw missingField(tag);
  const names = Object.keys(variants);
  const word = isList ? value[0] : value[tag];
  if (shape.open && isForeign(word, names)) return;
  const found = variantName(word, names);
  const inner = variants[found]!;
  if (isList) {
    if (typeof inner === "string") return readValue(inner, value.slice(1));
    return readSequence(`struct variant ${name}::${pascal(found)}`, inner, value.slice(1));
  }
  const { [tag]: _, ...members } = value;
  if (typeof inner === "string") return readValue(inner, members);
  readFields(inner, members);
  const flat = shape.flat?.[found];
  if (flat !== undefined) readValue(flat, members);
}

/** A variant is identified by its name or by its index. */
function variantName(value: unknown, names: readonly string[]): string {
  if (typeof value === "number" && Number.isInteger(value)) {
    const name = names[value];
    if (name === undefined) throw invalidValue(value, `variant index 0 <= i < ${names.length}`);
    return name;
  }
  if (typeof value !== "string") throw invalidType(value, "variant identifier");
  if (!names.includes(value)) throw unknownVariant(value, names);
  return value;
}

function isForeign(word: unknown, names: readonly string[]): boolean {
  if (typeof word === "number") return Number.isInteger(word) && names[word] === undefined;
  return typeof word === "string" && !names.includes(word);
}

function readVariant(
  name: string,
  variants: Extract<Shape, { variants: unknown }>["variants"],
  value: unknown,
): void {
  const names = Object.keys(variants);
  if (typeof value === "string") {
    const inner = variants[variantName(value, names)];
    if (inner !== null && inner !== undefined) {
      throw new Misfit(
        `invalid type: unit variant, expected ${typeof inner === "string" ? "newtype" : "struct"} variant`,
      );
    }
    return;
  }
  if (!isMap(value)) throw invalidType(value, "string or map");
  const [entry, ...others] = Object.entries(value);
  if (!entry || others.length > 0) throw invalidValue(value, "map with a single key");
  const found = variantName(entry[0], names);
  const inner = variants[found]!;
  if (inner === null) return LEAVES["unit"]!(entry[1]);
  if (typeof inner === "string") return readValue(inner, entry[1]);
  if (Array.isArray(entry[1])) {
    return readSequence(`struct variant ${name}::${pascal(found)}`, inner, entry[1]);
  }
  if (!isMap(entry[1])) throw invalidType(entry[1], "struct variant");
  readFields(inner, entry[1]);
}

function bare(field: string): string {
  return field.replace(/[?=]$/, "");
}

/** Returns the Rust name of a variant from its name on the wire. */
function pascal(name: string): string {
  return name.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function isMap(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
