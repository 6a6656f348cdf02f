import { atLeast } from "../protocol/release.ts";
import { EXPERIMENTAL_NOTIFICATIONS } from "../protocol/experimental.ts";
import type { Session } from "./handshake.ts";

/** Whether a notification is kept from connections like this one. */
export function isHidden(method: string, session: Session, version: string): boolean {
  if (session.experimentalApi || !Object.hasOwn(EXPERIMENTAL_NOTIFICATIONS, method)) return false;
  const since = EXPERIMENTAL_NOTIFICATIONS[method]?.stableSince;
  return since === undefined || !atLeast(version, since);
}

/**
 * The params of a server request as a connection may see them. Of the fields that the schema calls experimental,
 * 0.166.0 keeps this one from connections that did not opt in; `availableDecisions` reaches them all the same.
 */
export function visibleParams(method: string, params: unknown, experimentalApi: boolean): unknown {
  if (experimentalApi || method !== "item/commandExecution/requestApproval") return params;
  const { additionalPermissions: _, ...shown } = params as { readonly additionalPermissions?: unknown };
  return shown;
}
