import { PARAMS, TYPES } from "../../src/endpoint/params/params.gen.ts";
import type { Fields, Shape } from "../../src/endpoint/params/shape.ts";

/** One request to compare. */
export interface Case {
  readonly method: string;
  readonly params: unknown;
}

type Json = unknown;
type Members = Readonly<Record<string, Json>>;

/** The values to try in every place. */
const VALUES: readonly Json[] = [5, -1, 1.5, 1e12, "x", "", true, null, [], {}, [5], { x: 5 }, [null]];

const LEAVES: Readonly<Record<string, Json>> = {
  any: 1,
  unit: {},
  string: "t",
  path: "p",
  boolean: true,
  f64: 1.5,
  absolutePath: "/a",
  rootPath: "/a",
  effort: "high",
  uuid: "67e55044-10b1-426f-9247-bb680e5fe0c8",
  dynamicTools: [],
};

/**
 * Returns requests for every method: without params, with each value as params, and with each value in each place of
 * valid params.
 */
export function* corpus(): Generator<Case> {
  for (const [method, type] of Object.entries(PARAMS)) {
    const seen = new Set<string>();
    for (const params of [undefined, ...variations(type, [])]) {
      const text = JSON.stringify(params) ?? "";
      if (seen.has(text)) continue;
      seen.add(text);
      yield { method, params };
    }
  }
}

/** Returns the smallest params that the server accepts. */
export function least(type: string): Json {
  if (type.endsWith("?")) return null;
  if (type.endsWith("[]")) return [];
  if (type.endsWith("{}")) return {};
  const shape = TYPES[type];
  if (shape === undefined) return Object.hasOwn(LEAVES, type) ? LEAVES[type] : 1;
  if (typeof shape === "string") return least(shape);
  if ("struct" in shape) return leastFields(shape.struct);
  if ("untagged" in shape) return least(shape.untagged[0] ?? "any");
  const name = Object.keys(shape.variants)[0] ?? "";
  if ("tag" in shape) return leastVariant(shape, name);
  const inner = shape.variants[name] ?? null;
  return inner === null ? name : { [name]: typeof inner === "string" ? least(inner) : leastFields(inner) };
}

/** Like `least`, but for a field that must be present. */
export function some(type: string): Json {
  const inner = type.replace(/\?$/, "");
  if (inner.endsWith("[]")) return [least(inner.slice(0, -2))];
  if (inner.endsWith("{}")) return { key: least(inner.slice(0, -2)) };
  return least(inner);
}

function leastFields(fields: Fields): Members {
  const required = Object.entries(fields).filter(([field]) => !/[?=]$/.test(field));
  return Object.fromEntries(required.map(([field, type]) => [field, least(type)]));
}

function leastVariant(shape: Extract<Shape, { tag: string }>, name: string): Members {
  const inner = shape.variants[name] ?? {};
  const flat = shape.flat?.[name];
  return {
    [shape.tag]: name,
    ...(typeof inner === "string" ? (least(inner) as Members) : leastFields(inner)),
    ...(flat !== undefined && (least(flat) as Members)),
  };
}

function* variations(type: string, inside: readonly string[]): Generator {
  yield* VALUES;
  yield* deeper(type, inside);
}

/** Returns valid values of a type, and values that are wrong in one place. */
function* deeper(type: string, inside: readonly string[]): Generator {
  if (inside.length > 6) return;
  if (type.endsWith("?")) yield* deeper(type.slice(0, -1), inside);
  else if (type.endsWith("[]")) {
    for (const item of variations(type.slice(0, -2), inside)) yield [item];
    yield [least(type.slice(0, -2))];
  } else if (type.endsWith("{}")) {
    for (const item of variations(type.slice(0, -2), inside)) yield { k: item };
  } else if (type === "dynamicTools") yield* deeper("DynamicToolSpec[]", inside);
  else if (TYPES[type] !== undefined && !inside.includes(type)) {
    yield* ofShape(type, TYPES[type], [...inside, type]);
  }
}

function* ofShape(type: string, shape: Shape, inside: readonly string[]): Generator {
  if (typeof shape === "string") yield* deeper(shape, inside);
  else if ("struct" in shape) yield* ofFields(shape.struct, least(type) as Members, inside);
  else if ("untagged" in shape) for (const each of shape.untagged) yield* deeper(each, inside);
  else if ("tag" in shape) yield* ofTagged(shape, inside);
  else yield* ofVariants(shape.variants, inside);
}

function* ofVariants(
  variants: Extract<Shape, { variants: object }>["variants"],
  inside: readonly string[],
): Generator {
  for (const [name, inner] of Object.entries(variants)) {
    yield name;
    if (inner === null) yield { [name]: 5 };
    else if (typeof inner === "string") for (const each of variations(inner, inside)) yield { [name]: each };
    else {
      for (const each of [...VALUES, ...ofFields(inner, leastFields(inner), inside)]) yield { [name]: each };
    }
  }
  yield "bogus";
}

function* ofTagged(shape: Extract<Shape, { tag: string }>, inside: readonly string[]): Generator {
  const { tag, variants } = shape;
  for (const [name, inner] of Object.entries(variants)) {
    yield { [tag]: name };
    if (typeof inner !== "string") yield* ofFields(inner, leastVariant(shape, name), inside);
    else {
      for (const each of deeper(inner, inside)) if (isMembers(each)) yield { [tag]: name, ...each };
    }
  }
  for (const word of ["bogus", 99, 0, null, {}, true]) yield { [tag]: word };
}

function* ofFields(fields: Fields, right: Members, inside: readonly string[]): Generator {
  yield right;
  yield { ...right, unknownField: 1 };
  for (const [field, type] of Object.entries(fields)) {
    const name = field.replace(/[?=]$/, "");
    const { [name]: _, ...without } = right;
    yield without;
    for (const value of variations(type, inside)) yield { ...right, [name]: value };
  }
}

function isMembers(value: Json): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
