import { atLeast } from "../protocol/release.ts";
import { EXPERIMENTAL_VALUES } from "../protocol/experimental.ts";
import { METHODS } from "../protocol/table.gen.ts";
import type { FieldInfo } from "../protocol/table.ts";
import { PARAMS, TYPES } from "./params/params.gen.ts";
import type { Fields } from "./params/shape.ts";

type Members = Readonly<Record<string, unknown>>;

/** Fields in which null has a meaning: observed on 0.166.0. */
const NULL_COUNTS = new Set(["thread/list.projectId"]);

/**
 * Returns the first experimental part of a request: the method, or the first field or value in declaration order. The
 * returned name is the one that the real server uses. Returns `undefined` if the request needs no opt-in.
 */
export function experimentalReason(method: string, params: unknown, version: string): string | undefined {
  const info = Object.hasOwn(METHODS.clientRequests, method) ? METHODS.clientRequests[method] : undefined;
  if (!info) return undefined;
  if (info.stability === "experimental") return method;
  if (info.stableSince !== undefined && !atLeast(version, info.stableSince)) return method;
  const type = PARAMS[method]!;
  const shape = TYPES[type];
  if (typeof shape !== "object" || !("struct" in shape)) return gatedValue(type, params);
  return fieldReason(method, shape.struct, info.fields, params as Members, version);
}

function fieldReason(
  method: string,
  fields: Fields,
  gates: Readonly<Record<string, FieldInfo>>,
  members: Members,
  version: string,
): string | undefined {
  for (const [field, type] of Object.entries(fields)) {
    const name = field.replace(/[?=]$/, "");
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    if (!isPresent(value, type) && !(value === null && NULL_COUNTS.has(`${method}.${name}`))) continue;
    if (isGated(gates[name], version)) return `${method}.${name}`;
    const reason = gatedValue(type.replace(/\?$/, ""), value);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Returns whether a field needs the opt-in on a server of this version. */
function isGated(info: FieldInfo | undefined, version: string): boolean {
  if (!Array.isArray(info)) return false;
  const [, gate] = info as readonly [string, string];
  return gate === "experimental" || !atLeast(version, gate);
}

/**
 * Returns whether the server treats the value as present. If the field is not nullable, null, false and empty values
 * count as absent.
 */
function isPresent(value: unknown, type: string): boolean {
  if (value === undefined || value === null) return false;
  if (type.endsWith("?")) return true;
  if (type === "boolean") return value === true;
  return !(type.endsWith("[]") || type.endsWith("{}")) || Object.keys(value).length > 0;
}

function gatedValue(type: string, value: unknown): string | undefined {
  const gates = EXPERIMENTAL_VALUES.filter((gate) => gate.type === type);
  return gates.find((gate) => isVariant(value, gate.value))?.descriptor;
}

function isVariant(value: unknown, variant: string): boolean {
  if (typeof value !== "object" || value === null) return value === variant;
  return Object.hasOwn(value, variant) || (value as Members)["type"] === variant;
}
