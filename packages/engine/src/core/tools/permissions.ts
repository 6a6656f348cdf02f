import type { RequestPermissionProfile } from "codexwright/protocol";
import type { WireObject } from "../wire-object.ts";
import { askWaiting } from "../approvals/ask.ts";
import { autoReview, isAutoReviewed } from "../approvals/auto-review.ts";
import type { CallOutcome, ToolCall, ToolHandler } from "./tool-handler.ts";
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

/** The tool by which the model asks for permissions beyond the sandbox. Codex offers it to no model that it does not know. */
export const requestPermissions: ToolHandler<TurnRun> = {
  name: "request_permissions",
  parallel: false,
  spec: () => undefined,
  run: (call, run) => askPermissions(run, call),
};

/**
 * Asks the user, on behalf of the model, for permissions beyond the sandbox. The request is not an item of the turn.
 */
async function askPermissions(run: TurnRun, { callId, input: args }: ToolCall): Promise<CallOutcome> {
  const wanted = (args["permissions"] ?? {}) as { network?: unknown; file_system?: unknown };
  const { cwd } = run.thread.settings;
  const reason = typeof args["reason"] === "string" ? args["reason"] : null;
  const permissions: RequestPermissionProfile = {
    network: wanted.network ?? null,
    fileSystem: absolute(wanted.file_system, cwd, run.thread.host.platform.paths),
  };
  if (isAutoReviewed(run)) {
    const refusal = await autoReview(run, {
      itemId: callId,
      action: { type: "requestPermissions", reason, permissions },
      planned: { environment_id: "local", permissions: wanted, reason, tool: "request_permissions" },
    });
    return { output: outputOf(refusal === undefined ? permissions : {}, "turn") };
  }
  const granted = await askWaiting(run, "waitingOnApproval", "item/permissions/requestApproval", {
    threadId: run.thread.id,
    turnId: run.id,
    itemId: callId,
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
