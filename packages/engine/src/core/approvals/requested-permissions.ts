import { isJsonObject } from "codexwright/internal";
import { isWithin, normal } from "../confinement/paths.ts";
import { realPath } from "../confinement/pin-policy.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";

/** A path that the model asks for. */
export interface RequestedPath {
  /** The path as the model means it. */
  readonly named: string;
  /** The same path without links. Permissions are granted to this path only. */
  readonly real: string;
}

/** Permissions beyond the sandbox. */
export interface RequestedPermissions {
  readonly read: readonly RequestedPath[] | undefined;
  readonly write: readonly RequestedPath[] | undefined;
  readonly network: boolean;
}

const MAX_PATHS = 64;

/** Reads the permissions that a model asks for. Returns a text for the model if they cannot be granted. */
export function readPermissions(thread: LoadedThread, wanted: unknown): RequestedPermissions | string {
  const asked = isJsonObject(wanted) ? wanted : {};
  const system = isJsonObject(asked["file_system"]) ? asked["file_system"] : {};
  const network = isJsonObject(asked["network"]) && asked["network"]["enabled"] === true;
  const read = pathsIn(thread, system["read"]);
  const write = pathsIn(thread, system["write"]);
  if (typeof read === "string") return read;
  if (typeof write === "string") return write;
  const kept = write?.find(({ real }) => isKept(thread, real));
  if (kept) return `${kept.named} cannot be granted: it belongs to the server.`;
  return { read, write, network };
}

function pathsIn(thread: LoadedThread, list: unknown): RequestedPath[] | string | undefined {
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list) || list.length > MAX_PATHS) return `give a list of at most ${MAX_PATHS} paths`;
  const { files, platform } = thread.host;
  const found: RequestedPath[] = [];
  for (const each of list as readonly unknown[]) {
    if (typeof each !== "string" || each === "" || each.includes("\0")) return "paths must be texts";
    const named = normal(platform.paths.resolve(thread.settings.cwd, each));
    try {
      found.push({ named, real: realPath(named, files) });
    } catch (error) {
      return `${named}: ${(error as Error).message}`;
    }
  }
  return found;
}

/** Whether a path belongs to the server itself: its configuration, its records or its code. */
function isKept({ host }: LoadedThread, real: string): boolean {
  const own = [host.home, ...(host.platform.ownCode?.() ?? [])];
  return own.some((each) => isWithin(real, realPath(normal(each), host.files)));
}

/** The part of the requested permissions that an answer grants. An answer cannot grant more than was requested. */
export function grantedOf(requested: RequestedPermissions, answer: unknown): RequestedPermissions {
  const granted = isJsonObject(answer) ? answer : {};
  const system = isJsonObject(granted["fileSystem"]) ? granted["fileSystem"] : {};
  const network = isJsonObject(granted["network"]) && granted["network"]["enabled"] === true;
  const pick = (access: "read" | "write"): readonly RequestedPath[] | undefined => {
    const paths = answered(system, access);
    return requested[access]?.filter(({ real }) => paths.has(real));
  };
  const hasFiles = isJsonObject(granted["fileSystem"]);
  return {
    read: hasFiles ? pick("read") : undefined,
    write: hasFiles ? pick("write") : undefined,
    network: network && requested.network,
  };
}

/** The paths of an answer, in the old form (`read`, `write`) and in the new one (`entries`). */
function answered(system: Readonly<Record<string, unknown>>, access: "read" | "write"): Set<string> {
  const list: unknown = system[access];
  const plain = Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : [];
  const entries: unknown = system["entries"];
  if (!Array.isArray(entries)) return new Set(plain);
  const denied = new Set<string>();
  const named = (entries as readonly unknown[]).flatMap((entry) => {
    if (!isJsonObject(entry) || !isJsonObject(entry["path"])) return [];
    const { type, path } = entry["path"];
    if (type !== "path" || typeof path !== "string") return [];
    if (entry["access"] === "deny") denied.add(path);
    return entry["access"] === access ? [path] : [];
  });
  // Without the old form, the entries say everything. With both, a path must be in both.
  const both = Array.isArray(list) ? plain.filter((path) => named.includes(path)) : named;
  return new Set(both.filter((path) => !denied.has(path)));
}
