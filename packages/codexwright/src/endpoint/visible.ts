import { atLeast } from "../protocol/release.ts";
import { EXPERIMENTAL_NOTIFICATIONS } from "../protocol/experimental.ts";
import type { Session } from "./handshake.ts";

/** Returns whether a notification is hidden from this connection. */
export function isHidden(method: string, session: Session, version: string): boolean {
  if (session.experimentalApi || !Object.hasOwn(EXPERIMENTAL_NOTIFICATIONS, method)) return false;
  const since = EXPERIMENTAL_NOTIFICATIONS[method]?.stableSince;
  return since === undefined || !atLeast(version, since);
}

/**
 * Returns the params of a server request as a connection may see them. If the connection has not opted in to the
 * experimental API, `additionalPermissions` is removed, as Codex 0.166.0 does. The schema also marks
 * `availableDecisions` as experimental, but that version sends it to all connections.
 */
export function visibleParams(method: string, params: unknown, experimentalApi: boolean): unknown {
  if (experimentalApi || method !== "item/commandExecution/requestApproval") return params;
  const { additionalPermissions: _, ...shown } = params as { readonly additionalPermissions?: unknown };
  return shown;
}
