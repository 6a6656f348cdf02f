import { RESPONSE_OVERRIDES } from "./responses.ts";
import { fieldsOf, membersOf, type Surface, type TypeNode } from "./type-node.ts";

/** One method of one direction; `params` is `undefined` if the method has none. */
export interface Method {
  readonly name: string;
  readonly params: TypeNode | undefined;
  /** Whether the caller may omit params. */
  readonly optional: boolean;
}

/** The four directions, each with the upstream union that lists its methods. */
export const DIRECTIONS = {
  clientRequests: "ClientRequest",
  clientNotifications: "ClientNotification",
  serverRequests: "ServerRequest",
  serverNotifications: "ServerNotification",
} as const;

/** A direction of messages. */
export type Direction = keyof typeof DIRECTIONS;

/** Reads the methods of one direction, sorted by name. */
export function methodsOf(surface: Surface, direction: Direction): Method[] {
  return declaredMethods(surface, direction).toSorted((a, b) => compare(a.name, b.name));
}

/**
 * Like `methodsOf`, but in the server's declaration order. The server uses this order in errors that list the methods
 * it knows.
 */
export function declaredMethods(surface: Surface, direction: Direction): Method[] {
  const union = surface.get(DIRECTIONS[direction]);
  if (!union) throw new Error(`No type ${DIRECTIONS[direction]}`);
  return membersOf(union.type).map((member) => readMethod(member, surface));
}

/** Returns the key of a request's result type. Throws if neither the naming rule nor the table has one. */
export function responseOf(method: Method, surface: Surface): string {
  const params = method.params;
  const byName = params?.kind === "ref" ? params.name.replace(/Params$/, "Response") : undefined;
  const override = RESPONSE_OVERRIDES[method.name];
  const key =
    override === undefined ? byName : [`v2/${override}`, override].find((name) => surface.has(name));
  if (key === undefined || !key.endsWith("Response") || !surface.has(key)) {
    throw new Error(`${method.name}: no response type; add it to scripts/protocol/responses.ts`);
  }
  return key;
}

/** Compares by code unit, so that the result does not depend on a locale. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function readMethod(member: TypeNode, surface: Surface): Method {
  const fields = fieldsOf(member, surface);
  const method = fields.find((field) => field.name === "method")?.type;
  if (method?.kind !== "literal") throw new Error("A message without a literal method");
  const name = JSON.parse(method.text) as string;
  const params = fields.find((field) => field.name === "params");
  if (!params) return { name, params: undefined, optional: true };
  // Upstream's type allows `null` for missing params, but the server rejects `null`; send `{}` instead.
  const given = membersOf(params.type).filter((type) => !(type.kind === "ref" && isAbsent(type.name)));
  if (given.length > 1) throw new Error(`${name}: params of more than one type`);
  return {
    name,
    params: given[0],
    optional: params.optional || given.length < membersOf(params.type).length,
  };
}

function isAbsent(name: string): boolean {
  return name === "null" || name === "undefined";
}

/** Whether a referenced type needs no declaration. */
export function isBuiltIn(name: string): boolean {
  return BUILT_IN.has(name);
}

const BUILT_IN = new Set([
  "Array",
  "Record",
  "boolean",
  "never",
  "null",
  "number",
  "string",
  "undefined",
  "unknown",
]);
