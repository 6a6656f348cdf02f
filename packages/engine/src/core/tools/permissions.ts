import type { RequestPermissionProfile } from "codexwright/protocol";
import type { WireObject } from "../wire-object.ts";
import { askWaiting } from "../approvals/ask.ts";
import { autoReview, isAutoReviewed } from "../approvals/auto-review.ts";
import {
  grantedOf,
  readPermissions,
  type RequestedPath,
  type RequestedPermissions,
} from "../approvals/requested-permissions.ts";
import { REQUEST_PERMISSIONS } from "../instructions/tool-specs.ts";
import type { CallOutcome, ToolCall, ToolHandler } from "./tool-handler.ts";
import type { TurnRun } from "../turn/turn-run.ts";

/** The tool by which the model asks for permissions beyond the sandbox. */
export const requestPermissions: ToolHandler<TurnRun> = {
  name: "request_permissions",
  parallel: false,
  spec: () => REQUEST_PERMISSIONS,
  run: (call, run) => askPermissions(run, call),
};

type Scope = "turn" | "session";

const NOTHING: RequestedPermissions = { read: undefined, write: undefined, network: false };

/**
 * Asks the user, on behalf of the model, for permissions beyond the sandbox. The request is not an item of the turn. The
 * granted permissions widen the sandbox policy, for the turn or until the thread is unloaded.
 */
async function askPermissions(run: TurnRun, call: ToolCall): Promise<CallOutcome> {
  const { thread } = run;
  const wanted = call.input["permissions"];
  const requested = readPermissions(thread, wanted);
  if (typeof requested === "string") return { output: `request_permissions failed: ${requested}` };
  const reason = typeof call.input["reason"] === "string" ? call.input["reason"] : null;
  if (!mayAsk(run)) return answerOf(NOTHING, "turn");
  const permissions = profileOf(requested);
  if (isAutoReviewed(run)) {
    const refusal = await autoReview(run, {
      itemId: call.callId,
      action: { type: "requestPermissions", reason, permissions },
      planned: { environment_id: "local", permissions: wanted ?? {}, reason, tool: "request_permissions" },
    });
    return grant(run, refusal === undefined ? requested : NOTHING, "turn");
  }
  const answer = await askWaiting(run, "waitingOnApproval", "item/permissions/requestApproval", {
    threadId: thread.id,
    turnId: run.id,
    itemId: call.callId,
    environmentId: "local",
    startedAtMs: Date.now(),
    cwd: thread.settings.cwd,
    reason: withLinks(reason, requested),
    permissions,
  });
  const scope = answer?.scope === "session" ? "session" : "turn";
  return grant(run, grantedOf(requested, answer?.permissions), scope);
}

/** Whether the approval policy allows to ask for permissions. */
function mayAsk({ thread }: TurnRun): boolean {
  const { approvalPolicy } = thread.settings;
  if (approvalPolicy === "never") return false;
  return typeof approvalPolicy !== "object" || approvalPolicy.granular.request_permissions;
}

function grant(run: TurnRun, granted: RequestedPermissions, scope: Scope): CallOutcome {
  const { grants } = run.thread;
  const permissions = { writable: (granted.write ?? []).map(({ real }) => real), network: granted.network };
  if (scope === "session") grants.grantForSession(permissions);
  else grants.grantForTurn(run.id, permissions);
  return answerOf(granted, scope);
}

/** The permissions as clients see them. All paths are real, so a client shows the folder that would be granted. */
function profileOf({ read, write, network }: RequestedPermissions): RequestPermissionProfile {
  if (!read && !write) return { network: network ? { enabled: true } : null, fileSystem: null };
  const entries = (["read", "write"] as const).flatMap((access) =>
    ((access === "read" ? read : write) ?? []).map(({ real }) => ({
      path: { type: "path" as const, path: real },
      access,
    })),
  );
  return {
    network: network ? { enabled: true } : null,
    fileSystem: { read: realsOf(read), write: realsOf(write), entries },
  };
}

/** The granted permissions in the form that the model receives. */
function answerOf(granted: RequestedPermissions, scope: Scope): CallOutcome {
  const { network, fileSystem } = profileOf(granted);
  const permissions: WireObject = { network, file_system: fileSystem };
  return { output: JSON.stringify({ permissions, scope }) };
}

function realsOf(list: readonly RequestedPath[] | undefined): string[] | null {
  return list?.map(({ real }) => real) ?? null;
}

/** Adds to the reason where links lead. */
function withLinks(reason: string | null, { read = [], write = [] }: RequestedPermissions): string | null {
  const links = [...read, ...write].filter(({ named, real }) => named !== real);
  if (links.length === 0) return reason;
  const led = links.map(({ named, real }) => `${named} leads to ${real}`).join("; ");
  return `${reason === null ? "" : `${reason}\n`}Through links: ${led}`;
}
