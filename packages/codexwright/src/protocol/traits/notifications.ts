import type { ServerNotifications } from "../methods.gen.ts";
import type { NotificationTraits, ScopeOf } from "./types.ts";

/** Every method of the schema must have a row, with the scope that its params imply. */
type Rows = {
  readonly [M in keyof ServerNotifications]: NotificationTraits & {
    readonly scope: ScopeOf<ServerNotifications[M]>;
    readonly ownId?: keyof ServerNotifications[M];
  };
};

const THREAD = { scope: "thread" } as const;
const CONNECTION = { scope: "connection" } as const;

const ROWS: Rows = {
  "account/gatewayOAuth/changed": CONNECTION,
  "account/login/completed": CONNECTION,
  "account/rateLimits/updated": CONNECTION,
  "account/updated": CONNECTION,
  "app/list/updated": CONNECTION,
  "autoApprovalReview/strictReviewRequired": THREAD,
  "command/exec/outputDelta": { ...CONNECTION, ownId: "processId" },
  configWarning: { ...CONNECTION, greets: "each" },
  deprecationNotice: CONNECTION,
  error: THREAD,
  "externalAgentConfig/import/completed": CONNECTION,
  "externalAgentConfig/import/progress": CONNECTION,
  "fs/changed": { ...CONNECTION, ownId: "watchId" },
  "fuzzyFileSearch/sessionCompleted": { ...CONNECTION, ownId: "sessionId" },
  "fuzzyFileSearch/sessionUpdated": { ...CONNECTION, ownId: "sessionId" },
  guardianWarning: THREAD,
  "hook/completed": THREAD,
  "hook/started": THREAD,
  "item/agentMessage/delta": THREAD,
  "item/autoApprovalReview/completed": THREAD,
  "item/autoApprovalReview/started": THREAD,
  "item/commandExecution/outputDelta": THREAD,
  "item/commandExecution/terminalInteraction": THREAD,
  "item/completed": THREAD,
  "item/fileChange/outputDelta": THREAD,
  "item/fileChange/patchUpdated": THREAD,
  "item/mcpToolCall/progress": THREAD,
  "item/plan/delta": THREAD,
  "item/reasoning/summaryPartAdded": THREAD,
  "item/reasoning/summaryTextDelta": THREAD,
  "item/reasoning/textDelta": THREAD,
  "item/started": THREAD,
  "mcpServer/event/stream/notification": { ...CONNECTION, ownId: "subscriptionId" },
  "mcpServer/oauthLogin/completed": CONNECTION,
  "mcpServer/startupStatus/updated": CONNECTION,
  "model/rerouted": THREAD,
  "model/safetyBuffering/updated": THREAD,
  "model/verification": THREAD,
  "modelProvider/authRecoveryCompleted": THREAD,
  "modelProvider/authRecoveryStarted": THREAD,
  "process/exited": { ...CONNECTION, ownId: "processHandle", ends: true },
  "process/outputDelta": { ...CONNECTION, ownId: "processHandle" },
  "project/changed": CONNECTION,
  "rawResponse/completed": THREAD,
  "rawResponseItem/completed": THREAD,
  "remoteControl/status/changed": { ...CONNECTION, greets: "last" },
  "serverRequest/resolved": THREAD,
  "skills/changed": CONNECTION,
  "thread/archived": { ...THREAD, to: "all" },
  "thread/attachment/updated": THREAD,
  "thread/closed": THREAD,
  "thread/compacted": THREAD,
  "thread/deleted": { ...THREAD, to: "all" },
  "thread/environment/connected": THREAD,
  "thread/environment/disconnected": THREAD,
  "thread/goal/cleared": THREAD,
  "thread/goal/updated": THREAD,
  "thread/name/updated": { ...THREAD, to: "all" },
  "thread/prediction/updated": THREAD,
  "thread/project/updated": THREAD,
  "thread/queue/changed": THREAD,
  "thread/readState/changed": THREAD,
  "thread/realtime/closed": { ...THREAD, ends: true },
  "thread/realtime/error": THREAD,
  "thread/realtime/item/completed": THREAD,
  "thread/realtime/item/started": THREAD,
  "thread/realtime/item/transcript/delta": THREAD,
  "thread/realtime/itemAdded": THREAD,
  "thread/realtime/outputAudio/delta": THREAD,
  "thread/realtime/sdp": THREAD,
  "thread/realtime/started": THREAD,
  "thread/realtime/transcript/delta": THREAD,
  "thread/realtime/transcript/done": THREAD,
  "thread/reverted": THREAD,
  "thread/settings/updated": THREAD,
  "thread/started": { ...THREAD, to: "all" },
  "thread/status/changed": { ...THREAD, to: "all" },
  "thread/tokenUsage/updated": THREAD,
  "thread/unarchived": { ...THREAD, to: "all" },
  "turn/completed": THREAD,
  "turn/diff/updated": THREAD,
  "turn/moderationMetadata": THREAD,
  "turn/plan/updated": THREAD,
  "turn/started": THREAD,
  warning: CONNECTION,
  "windows/worldWritableWarning": CONNECTION,
  "windowsSandbox/setupCompleted": CONNECTION,
};

const UNKNOWN: NotificationTraits = { scope: "connection" };

/** Returns the traits of a server notification. Unknown methods have the default traits. */
export function notificationTraits(method: string): NotificationTraits {
  return Object.hasOwn(ROWS, method) ? ROWS[method as keyof ServerNotifications] : UNKNOWN;
}
