import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { compare } from "./methods.ts";
import { mapRefs, type Declaration, type Surface } from "./type-node.ts";
import { docText, parseType } from "./type-parse.ts";

const FILE = /^(?<head>[\s\S]*?)export type (?<name>\w+) =\s*(?<type>[\s\S]*);\s*$/;
const IMPORT = /import type \{ (\w+) \} from "([^"]+)";/g;

/** Reads a folder written by `codex app-server generate-ts`. */
export async function readSurface(folder: string): Promise<Surface> {
  const surface = new Map<string, Declaration>();
  const entries = await readdir(folder, { recursive: true });
  for (const entry of entries.toSorted(compare)) {
    if (!entry.endsWith(".ts") || entry.endsWith("index.ts")) continue;
    const key = entry.slice(0, -".ts".length).split("\\").join("/");
    surface.set(key, readDeclaration(key, await readFile(join(folder, entry), "utf8")));
  }
  return surface;
}

/** Reads one file: imports, an optional comment and a single `export type`. */
export function readDeclaration(key: string, text: string): Declaration {
  const match = FILE.exec(text);
  if (!match?.groups) throw new Error(`${key}: not a file with one exported type`);
  const { head = "", name = "", type = "" } = match.groups;
  const imports = new Map<string, string>();
  for (const [, local = "", from = ""] of head.matchAll(IMPORT)) {
    imports.set(local, posix.normalize(posix.join(posix.dirname(key), from)));
  }
  const doc = /\/\*\*[\s\S]*?\*\//.exec(head.replace(IMPORT, ""))?.[0];
  imports.set(name, key);
  return {
    key,
    name,
    doc: doc === undefined ? undefined : docText(doc),
    // JSON.parse returns numbers, whatever integer width the server uses.
    type: mapRefs(parseType(type), (local) =>
      local === "bigint" ? "number" : (imports.get(local) ?? local),
    ),
  };
}
