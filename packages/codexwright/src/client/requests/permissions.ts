import { isJsonObject } from "../../rpc/json.ts";
import type {
  GrantedPermissionProfile,
  PermissionsRequestApprovalResponse,
  RequestPermissionProfile,
} from "../../protocol/index.ts";
import { isTexts, record } from "../connection/wire.ts";

/** Grants nothing, so it needs no scope. */
export const NO_GRANT: Pick<PermissionsRequestApprovalResponse, "permissions"> = { permissions: {} };

/**
 * Converts a handler's grant to its wire form. Returns `undefined` if the grant is invalid or includes a kind of
 * permission that was not requested. Paths are not compared: the server limits the grant to the paths that it
 * requested.
 */
export function toWireGrant(
  asked: RequestPermissionProfile,
  value: unknown,
): PermissionsRequestApprovalResponse | undefined {
  const { permissions, scope = "turn", strictAutoReview } = record(value);
  if (typeof permissions !== "object" || permissions === null) return undefined;
  if (scope !== "turn" && scope !== "session") return undefined;
  if (strictAutoReview !== undefined && typeof strictAutoReview !== "boolean") return undefined;
  const { network = null, fileSystem = null, ...rest } = record(permissions);
  if (Object.keys(rest).length > 0) return undefined;
  if (network !== null && !(asked.network && isNetwork(network))) return undefined;
  if (fileSystem !== null && !(asked.fileSystem && isFileSystem(fileSystem))) return undefined;
  const granted = { ...(network !== null && { network }), ...(fileSystem !== null && { fileSystem }) };
  return {
    permissions: granted as GrantedPermissionProfile,
    scope,
    ...(strictAutoReview !== undefined && { strictAutoReview }),
  };
}

function isNetwork(value: unknown): boolean {
  const { enabled = null, ...rest } = record(value);
  return (
    isJsonObject(value) &&
    Object.keys(rest).length === 0 &&
    (enabled === null || typeof enabled === "boolean")
  );
}

function isFileSystem(value: unknown): boolean {
  const { read, write, entries } = record(value);
  return (
    isJsonObject(value) &&
    [read, write].every((paths) => paths === undefined || paths === null || isTexts(paths)) &&
    (entries === undefined || (Array.isArray(entries) && entries.every(isJsonObject)))
  );
}
