import type { RequestPermissionProfile } from "codexwright/protocol";
import type { WireObject } from "../wire-object.ts";
import { askWaiting } from "../approvals/ask.ts";
import { autoReview, isAutoReviewed } from "../approvals/auto-review.ts";
import type { CallOutcome, ToolCall } from "./tool-call.ts";
import type { Paths } from "../ports.ts";
import type { TurnRun } from "../turn/turn-run.ts";

/** Resolves the folders that the model names against its working directory. */
function absolute(wanted: unknown, cwd: string, paths: Paths): WireObject | null {
  if (typeof wanted !== "object" || wanted === null) return null;
  const { read, write } = wanted as { read?: unknown; write?: unknown };
  const folders = (list: unknown): string[] | null =>
    Array.isArray(list) ? list.map((each) => paths.resolve(cwd, String(each))) : null;
  const entries = Object.entries({ read: folders(read), write: folders(write) }).flatMap(([access, list]) =>
    (list ?? []).map((folder) => ({ path: { type: "path", path: folder }, access })),
  );
  return { read: folders(read), write: folders(write), entries };
}

/**
 * Asks the user, on behalf of the model, for permissions beyond the sandbox. The request is not an item of the turn.
 */
export async function requestPermissions(
  run: TurnRun,
  call: ToolCall,
  args: WireObject,
): Promise<CallOutcome> {
  const wanted = (args["permissions"] ?? {}) as { network?: unknown; file_system?: unknown };
  const { cwd } = run.thread.settings;
  const reason = typeof args["reason"] === "string" ? args["reason"] : null;
  const permissions: RequestPermissionProfile = {
    network: wanted.network ?? null,
    fileSystem: absolute(wanted.file_system, cwd, run.thread.host.platform.paths),
  };
  if (isAutoReviewed(run)) {
    const refusal = await autoReview(run, {
      itemId: call.callId,
      action: { type: "requestPermissions", reason, permissions },
      planned: { environment_id: "local", permissions: wanted, reason, tool: "request_permissions" },
    });
    return { output: outputOf(refusal === undefined ? permissions : {}, "turn") };
  }
  const granted = await askWaiting(run, "waitingOnApproval", "item/permissions/requestApproval", {
    threadId: run.thread.id,
    turnId: run.id,
    itemId: call.callId,
    environmentId: "local",
    startedAtMs: Date.now(),
    cwd,
    reason,
    permissions,
  });
  return { output: outputOf(granted?.permissions ?? {}, granted?.scope ?? "turn") };
}

/** The granted permissions in the form that the model receives. */
function outputOf(
  { network = null, fileSystem = null }: Partial<RequestPermissionProfile>,
  scope: string,
): string {
  return JSON.stringify({ permissions: { network, file_system: fileSystem }, scope });
}
