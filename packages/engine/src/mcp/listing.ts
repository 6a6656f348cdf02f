import { isJsonObject } from "codexwright/internal";
import type { McpAnnotations, McpServerSettings, McpToolInfo } from "../core/ports.ts";
import { McpError } from "./mcp-error.ts";

/** As in Codex. */
const MAX_PAGES = 100;
const MAX_ITEMS = 2_048;
const MAX_CURSOR = 64 * 1024;
/** The most characters of all items of a list. */
const MAX_SIZE = 4 * 1024 * 1024;
const LONGEST_NAME = 256;

type Wire = Readonly<Record<string, unknown>>;

/** Reads all pages of a list. Rejects if a server does not come to an end, or repeats a page. */
export async function allPages(
  method: string,
  key: string,
  fetch: (params: Wire) => Promise<Wire>,
): Promise<readonly Wire[]> {
  const items: Wire[] = [];
  const seen = new Set<string>();
  let size = 0;
  let params: Wire = {};
  for (let page = 0; page < MAX_PAGES; page++) {
    const result = await fetch(params);
    const found: unknown = isJsonObject(result) ? result[key] : undefined;
    if (!Array.isArray(found)) throw new McpError("invalid", `${method} answered without ${key}`);
    size += JSON.stringify(found).length;
    items.push(...found.filter((item) => isJsonObject(item)));
    if (items.length > MAX_ITEMS) throw new McpError("flood", `${method} has more than ${MAX_ITEMS} items`);
    if (size > MAX_SIZE)
      throw new McpError("flood", `${method} has items of more than ${MAX_SIZE} characters`);
    const cursor = result["nextCursor"];
    if (typeof cursor !== "string") return items;
    if (cursor.length > MAX_CURSOR || seen.has(cursor)) {
      throw new McpError("flood", `${method} repeats a page or has a cursor that is too long`);
    }
    seen.add(cursor);
    params = { cursor };
  }
  throw new McpError("flood", `${method} has more than ${MAX_PAGES} pages`);
}

/** The tools of a server that the configuration allows, without those that cannot be read. */
export function toolsOf(listed: readonly Wire[], settings: McpServerSettings): McpToolInfo[] {
  const found = new Map<string, McpToolInfo>();
  for (const item of listed) {
    const { name, title, description, inputSchema } = item;
    if (typeof name !== "string" || name === "" || name.length > LONGEST_NAME || found.has(name)) continue;
    if (!allows(settings, name)) continue;
    found.set(name, {
      name,
      ...(typeof title === "string" && { title }),
      ...(typeof description === "string" && { description }),
      ...(isJsonObject(inputSchema) && { inputSchema }),
      ...(isJsonObject(item["annotations"]) && { annotations: annotationsOf(item["annotations"]) }),
      approval: Object.hasOwn(settings.approvals, name) ? settings.approvals[name] : settings.approval,
      parallel: settings.parallel,
    });
  }
  return [...found.values()];
}

/** Whether the configuration allows a tool. */
export function allows({ enabledTools, disabledTools }: McpServerSettings, name: string): boolean {
  return (enabledTools?.includes(name) ?? true) && !disabledTools.includes(name);
}

function annotationsOf(hints: Wire): McpAnnotations {
  const known = ["readOnlyHint", "destructiveHint", "openWorldHint"] as const;
  return Object.fromEntries(
    known.flatMap((name) => (typeof hints[name] === "boolean" ? [[name, hints[name]]] : [])),
  );
}
