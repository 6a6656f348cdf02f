import type { ElicitationRequest, PermissionsRequest } from "codexwright";
import type { FileSystemSandboxEntry } from "codexwright/protocol";
import type { Style } from "../../shared/style.ts";
import { clean } from "../../shared/text.ts";
import { indented, nameOf } from "../../show/item-text.ts";

/** Shows the request of an MCP server with the server's name. Returns "" if it cannot be shown. */
export function elicitationBlock(request: ElicitationRequest, style: Style): string {
  if (!("message" in request)) return "";
  const lines = clean(request.message).split("\n");
  if (request.mode === "url") lines.push(style.underline(clean(request.url)));
  return `${style.dim("MCP server")} ${style.bold(clean(request.serverName))}\n${indented(lines)}`;
}

/** Shows the permissions that the agent requests, one line for each kind, and the reason. */
export function permissionsBlock(request: PermissionsRequest, folder: string, style: Style): string {
  const { permissions, reason } = request;
  const lines = filesOf(request).map(([access, names]) => `${access.padEnd(5)}  ${nameList(names, folder)}`);
  if (permissions.network?.enabled) lines.push("reach  the network");
  if (reason) lines.push(style.dim(clean(reason)));
  return `${style.dim("permissions")} ${style.bold("beyond the sandbox")}\n${indented(lines)}`;
}

function nameList(names: readonly string[], folder: string): string {
  return names.map((name) => clean(nameOf(name, folder) || ".")).join(", ");
}

/** Groups the paths by access. Newer servers send entries; older servers send two lists. */
function filesOf({ permissions }: PermissionsRequest): [access: string, names: string[]][] {
  const { read, write, entries } = permissions.fileSystem ?? {};
  const files = new Map<string, string[]>();
  const add = (access: string, name: string): void =>
    void files.set(access, [...(files.get(access) ?? []), name]);
  if (entries && entries.length > 0) for (const entry of entries) add(entry.access, entryName(entry));
  else {
    for (const name of read ?? []) add("read", name);
    for (const name of write ?? []) add("write", name);
  }
  return [...files];
}

function entryName({ path }: FileSystemSandboxEntry): string {
  if ("path" in path) return path.path;
  if ("pattern" in path) return path.pattern;
  return JSON.stringify("value" in path ? path.value : path);
}
