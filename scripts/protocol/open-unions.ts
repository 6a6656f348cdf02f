import type { Travel } from "./directions.ts";
import { fieldsOf, membersOf, ref, type Field, type Surface, type TypeNode } from "./type-node.ts";
import { printType } from "./type-print.ts";

/** The type for every tag that this version does not know. */
export const UNKNOWN = "Unknown";

/** Unknown members that have their own name. */
export const NAMED_UNKNOWNS: Readonly<Record<string, string>> = { "v2/ThreadItem": "UnknownItem" };

/** A union with an added member for unknown values; `unknown` is that member if it is an object. */
export interface Opened {
  readonly type: TypeNode;
  readonly unknown?: TypeNode;
}

/**
 * Opens a type for values of newer servers, or returns `undefined` to leave it closed.
 *
 * The rule: a union that is tagged by a literal field is opened if the server can send it, because code that reads a
 * payload must not trust an unknown shape. Enums of plain names (also those with some `{ name: … }` members) are opened
 * only if the client never sends them. Otherwise a sender's completion list would offer a value that must not be sent.
 */
export function openUnion(key: string, surface: Surface, travel: Travel): Opened | undefined {
  const declaration = surface.get(key);
  if (!declaration || !travel.toClient.has(key) || isForeign(declaration.name)) return undefined;
  const { type } = declaration;
  // A tagged union may have fields that all members share: `{ … } & (A | B)`.
  if (type.kind === "intersection") {
    const at = type.types.findIndex((part) => part.kind === "union");
    const opened = at < 0 ? undefined : openTagged(key, type.types[at]!, surface);
    return opened && { ...opened, type: { ...type, types: type.types.with(at, opened.type) } };
  }
  const tagged = openTagged(key, type, surface);
  if (tagged) return tagged;
  return travel.toServer.has(key) ? undefined : openNames(type);
}

/**
 * Whether a type belongs to the JSON Schema subset of MCP elicitations. Codex does not define this subset, and its
 * types share tags.
 */
function isForeign(name: string): boolean {
  return name.startsWith("McpElicitation");
}

function openTagged(key: string, type: TypeNode, surface: Surface): Opened | undefined {
  const members = membersOf(type);
  const fields = members.map((member) => fieldsOf(member, surface));
  const tag = fields[0]?.find((field) => isTag(field.name, fields))?.name;
  if (members.length < 2 || tag === undefined) return undefined;
  const shared = fields[0]!.filter((field) => field.name !== tag && isShared(field, fields));
  // Keep the fields that every known member has, so that they stay readable without narrowing.
  const unknown: TypeNode = {
    kind: "object",
    fields: [
      { name: tag, optional: false, type: ref(UNKNOWN) },
      ...shared.map(({ doc: _doc, ...field }) => field),
    ],
  };
  const name = NAMED_UNKNOWNS[key];
  return { type: { kind: "union", types: [...members, name === undefined ? unknown : ref(name)] }, unknown };
}

function isTag(name: string, members: readonly (readonly Field[])[]): boolean {
  const tags = members.map((fields) => fields.find((field) => field.name === name)?.type);
  return tags.every((tag) => tag?.kind === "literal" && tag.text.startsWith('"'));
}

function isShared(field: Field, members: readonly (readonly Field[])[]): boolean {
  const text = printType(field.type);
  return members.every((fields) =>
    fields.some(
      (other) =>
        other.name === field.name && other.optional === field.optional && printType(other.type) === text,
    ),
  );
}

function openNames(type: TypeNode): Opened | undefined {
  // Upstream opens some enums with `string` and an index signature, which defeats narrowing.
  const members = membersOf(type).filter((member) => !isCatchAll(member));
  const names = members.filter((member) => member.kind === "literal" && member.text.startsWith('"'));
  const objects = members.filter((member) => member.kind === "object" && member.fields.length === 1);
  if (members.length < 2 || names.length === 0 || names.length + objects.length < members.length)
    return undefined;
  const unknown: TypeNode[] = [ref(UNKNOWN)];
  if (objects.length > 0) {
    unknown.push({ kind: "object", fields: [{ name: "(unknown)", optional: false, type: ref("unknown") }] });
  }
  return { type: { kind: "union", types: [...members, ...unknown] } };
}

function isCatchAll(type: TypeNode): boolean {
  return type.kind === "map" || (type.kind === "ref" && type.name === "string");
}
