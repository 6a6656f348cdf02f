import { PARAMS, TYPES } from "./params.gen.ts";
import { readValue } from "./read.ts";
import { missingField } from "./texts.ts";

/**
 * Checks the params of a request like the real server does, and throws the same error. Returns the params as an object,
 * even if they were a list on the wire. If this library does not know the method, its params are not checked.
 */
export function readParams(method: string, params: unknown): unknown {
  const type = Object.hasOwn(PARAMS, method) ? PARAMS[method] : undefined;
  if (type === undefined) return params ?? {};
  if (params === undefined || params === null) {
    if (type.endsWith("?")) return {};
    throw missingField("params");
  }
  readValue(type, params);
  return Array.isArray(params) ? named(type, params) : params;
}

/** Converts a struct that was written as a list of its values to an object. */
function named(type: string, values: readonly unknown[]): Record<string, unknown> {
  const shape = TYPES[type.replace(/\?$/, "")];
  if (typeof shape !== "object") return {};
  if ("struct" in shape) return zip(Object.keys(shape.struct), values);
  if (!("tag" in shape)) return {};
  const [tag, ...rest] = values;
  const variant = typeof tag === "number" ? Object.keys(shape.variants)[tag] : (tag as string);
  const fields = variant === undefined ? undefined : shape.variants[variant];
  return { [shape.tag]: variant, ...(typeof fields === "object" && zip(Object.keys(fields), rest)) };
}

function zip(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(values.map((value, index) => [names[index]!.replace(/[?=]$/, ""), value]));
}
