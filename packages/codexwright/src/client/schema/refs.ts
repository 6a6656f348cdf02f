import { isJsonObject, type JsonObject } from "./schema.ts";

/** The part of the document a `$ref` names, or undefined. */
export function resolveRef(root: unknown, ref: unknown): unknown {
  if (typeof ref !== "string" || !ref.startsWith("#")) return undefined;
  let at = root;
  for (const part of ref.slice(1).split("/").slice(1)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    at = Array.isArray(at) ? (at[Number(key)] as unknown) : isJsonObject(at) ? at[key] : undefined;
  }
  return at;
}

/** The document with an object at its root where that was a reference: neither models nor Codex follow one there. */
export function withoutRootRef(document: JsonObject): JsonObject {
  let root: unknown = document;
  for (let hops = 0; hops < 10 && isJsonObject(root) && root["$ref"] !== undefined; hops++) {
    root = resolveRef(document, root["$ref"]);
  }
  if (!isJsonObject(root) || root === document) return document;
  return { ...root, ...pickDefinitions(document) };
}

function pickDefinitions({ $defs, definitions }: JsonObject): JsonObject {
  return { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
}

/** What a schema is once its references are followed; undefined where they lead nowhere or in a circle. */
export function dereferenced(root: unknown, schema: unknown): unknown {
  let at = schema;
  for (let hops = 0; hops < 10; hops++) {
    if (!isJsonObject(at) || at["$ref"] === undefined) return at;
    at = resolveRef(root, at["$ref"]);
  }
  return undefined;
}
