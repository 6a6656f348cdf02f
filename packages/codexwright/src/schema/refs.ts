import { isJsonObject, type JsonObject } from "../rpc/json.ts";

/** Longer chains of references than anybody writes; without an end, one that is a circle would be followed for ever. */
const MOST_HOPS = 10;

/** What a schema is once its references are followed; undefined where they lead nowhere or in a circle. */
export function dereferenced(root: unknown, schema: unknown): unknown {
  let at = schema;
  for (let hops = 0; hops < MOST_HOPS; hops++) {
    if (!isJsonObject(at) || at["$ref"] === undefined) return at;
    at = resolve(root, at["$ref"]);
  }
  return undefined;
}

/** The document with an object at its root where that was a reference: neither models nor Codex follow one there. */
export function withoutRootRef(document: JsonObject): JsonObject {
  const root = dereferenced(document, document);
  if (!isJsonObject(root) || root === document) return document;
  const { $defs, definitions } = document;
  return {
    ...root,
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}

function resolve(root: unknown, ref: unknown): unknown {
  if (ref === "#") return root;
  if (typeof ref !== "string" || !ref.startsWith("#/")) return undefined;
  let at = root;
  for (const part of ref.slice(2).split("/")) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    at = Array.isArray(at) ? (at[Number(key)] as unknown) : isJsonObject(at) ? at[key] : undefined;
  }
  return at;
}
