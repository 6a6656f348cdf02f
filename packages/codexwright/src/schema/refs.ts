import { isJsonObject, type JsonObject } from "../rpc/json.ts";

/** The maximum length of a chain of references. It is longer than any real chain and stops circular references. */
const MOST_HOPS = 10;

/** Follows the references of a schema. Returns undefined if they cannot be resolved or are circular. */
export function dereferenced(root: unknown, schema: unknown): unknown {
  let at = schema;
  for (let hops = 0; hops < MOST_HOPS; hops++) {
    if (!isJsonObject(at) || at["$ref"] === undefined) return at;
    at = resolve(root, at["$ref"]);
  }
  return undefined;
}

/**
 * Returns the document with its root reference replaced by the referenced object, because neither models nor Codex
 * follow a reference at the root.
 */
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
