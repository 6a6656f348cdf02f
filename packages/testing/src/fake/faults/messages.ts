import type { ServerNotifications, ServerRequests } from "codexwright/protocol";

/**
 * The notifications that a fake server sends. A test compares this list with the notifications that occur in the
 * scenarios.
 */
export const PLAYED_NOTIFICATIONS: readonly (keyof ServerNotifications)[] = [
  "account/login/completed",
  "account/rateLimits/updated",
  "account/updated",
  "command/exec/outputDelta",
  "deprecationNotice",
  "error",
  "fs/changed",
  "guardianWarning",
  "item/agentMessage/delta",
  "item/autoApprovalReview/completed",
  "item/autoApprovalReview/started",
  "item/commandExecution/outputDelta",
  "item/completed",
  "item/reasoning/summaryPartAdded",
  "item/reasoning/summaryTextDelta",
  "item/reasoning/textDelta",
  "item/started",
  "mcpServer/startupStatus/updated",
  "remoteControl/status/changed",
  "serverRequest/resolved",
  "thread/archived",
  "thread/deleted",
  "thread/goal/cleared",
  "thread/name/updated",
  "thread/readState/changed",
  "thread/reverted",
  "thread/settings/updated",
  "thread/started",
  "thread/status/changed",
  "thread/tokenUsage/updated",
  "thread/unarchived",
  "turn/completed",
  "turn/diff/updated",
  "turn/plan/updated",
  "turn/started",
  "warning",
];

/** The requests that a fake server sends to its clients. */
export const PLAYED_REQUESTS: readonly (keyof ServerRequests)[] = [
  "item/commandExecution/requestApproval",
  "item/fileChange/requestApproval",
  "item/permissions/requestApproval",
  "item/tool/call",
  "item/tool/requestUserInput",
  "mcpServer/elicitation/request",
];

/** Whether a message carries a part of something longer. */
export function isDelta(method: string): boolean {
  return /\/(delta|\w+Delta)$/.test(method);
}
