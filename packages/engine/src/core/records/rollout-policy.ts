import type { AskForApproval, SandboxPolicy } from "codexwright/protocol";
import { isObject, listOr, objectOr } from "./rollout-record.ts";
import type { WireObject } from "../wire-object.ts";

/** A sandbox policy as rollout files write it. */
export function policyToRollout(policy: SandboxPolicy): WireObject {
  switch (policy.type) {
    case "dangerFullAccess":
      return { type: "danger-full-access" };
    case "workspaceWrite":
      return {
        type: "workspace-write",
        ...(policy.writableRoots?.length ? { writable_roots: policy.writableRoots } : {}),
        network_access: policy.networkAccess ?? false,
        exclude_tmpdir_env_var: policy.excludeTmpdirEnvVar ?? false,
        exclude_slash_tmp: policy.excludeSlashTmp ?? false,
      };
    case "externalSandbox":
      return {
        type: "external-sandbox",
        network_access: (policy as { networkAccess?: unknown }).networkAccess ?? "restricted",
      };
    default:
      return {
        type: "read-only",
        ...((policy as { networkAccess?: unknown }).networkAccess === true ? { network_access: true } : {}),
      };
  }
}

/** Returns `undefined` for a policy that this version does not know, so that no sandbox becomes wider by mistake. */
export function policyFromRollout(value: unknown): SandboxPolicy | undefined {
  if (!isObject(value)) return undefined;
  const networkAccess = value["network_access"] === true;
  switch (value["type"]) {
    case "danger-full-access":
      return { type: "dangerFullAccess" };
    case "read-only":
      return { type: "readOnly", networkAccess };
    case "external-sandbox":
      return {
        type: "externalSandbox",
        networkAccess: value["network_access"] === "enabled" ? "enabled" : "restricted",
      };
    case "workspace-write":
      return {
        type: "workspaceWrite",
        writableRoots: listOr(value["writable_roots"]).filter((root) => typeof root === "string"),
        networkAccess,
        excludeTmpdirEnvVar: value["exclude_tmpdir_env_var"] === true,
        excludeSlashTmp: value["exclude_slash_tmp"] === true,
      };
    default:
      return undefined;
  }
}

/** Returns `undefined` for anything that is not an approval policy. */
export function approvalFromRollout(value: unknown): AskForApproval | undefined {
  if (value === "untrusted" || value === "on-request" || value === "never") return value;
  // An older policy; its successor asks in the same cases.
  if (value === "on-failure") return "on-request";
  return isObject(value) && isObject(value["granular"]) ? (value as AskForApproval) : undefined;
}

/** A sandbox policy as Codex writes it beside settings. Protected folders of the workspace are left out. */
export function profileToRollout(policy: SandboxPolicy, workspace: readonly string[]): WireObject {
  if (policy.type === "dangerFullAccess") return { type: "disabled" };
  const { networkAccess } = policy as { networkAccess?: unknown };
  const network = networkAccess === true || networkAccess === "enabled" ? "enabled" : "restricted";
  if (policy.type === "externalSandbox") return { type: "external", network };
  const roots = policy.type === "workspaceWrite" ? [...workspace, ...(policy.writableRoots ?? [])] : [];
  const entries = [
    { path: { type: "special", value: { kind: "root" } }, access: "read" },
    ...roots.map((root) => ({ path: { type: "path", path: root }, access: "write" })),
  ];
  return { type: "managed", file_system: { type: "restricted", entries }, network };
}

/** Whether a profile of Codex lets commands write nothing. */
export function allowsNoWrites(profile: unknown): boolean {
  if (!isObject(profile) || profile["type"] !== "managed") return false;
  const { type, entries } = objectOr(profile["file_system"]);
  return (
    type === "restricted" &&
    Array.isArray(entries) &&
    entries.every((entry) => isObject(entry) && (entry["access"] === "read" || entry["access"] === "none"))
  );
}
