/** A value that a connection may send in a stable field only after it opted in with `experimentalApi`. */
export interface ExperimentalValue {
  /** The server's name for the value. Its error reads `<descriptor> requires experimentalApi capability`. */
  readonly descriptor: string;
  /** The type that contains the value. The `value` member is the tag or name of the value in that type. */
  readonly type: string;
  readonly value: string;
  /** The first sampled version that has the value. */
  readonly since: string;
}

/**
 * The single values that are experimental. No schema lists them, so they are maintained by hand.
 *
 * 0.166.0 was seen to reject each of them if the connection has not opted in. All other descriptors of that version
 * name a method, or a field of the params of a method.
 */
export const EXPERIMENTAL_VALUES: readonly ExperimentalValue[] = [
  { descriptor: "askForApproval.granular", type: "AskForApproval", value: "granular", since: "0.115.0" },
  {
    descriptor: "account/login/start.chatgptAuthTokens",
    type: "LoginAccountParams",
    value: "chatgptAuthTokens",
    since: "0.98.0",
  },
  {
    descriptor: "account/login/start.amazonBedrock",
    type: "LoginAccountParams",
    value: "amazonBedrock",
    since: "0.145.0",
  },
  {
    descriptor: "account/login/start.amazonBedrockAccessKeys",
    type: "LoginAccountParams",
    value: "amazonBedrockAccessKeys",
    since: "0.150.0",
  },
];

/** A notification that a connection receives only after it opted in with `experimentalApi`. */
export interface ExperimentalNotification {
  /** The first sampled version that has the notification. */
  readonly since: string;
  /** The first sampled version that sends the notification to every connection. */
  readonly stableSince?: string;
}

/**
 * The experimental notifications. The schema that Codex generates contains them even without `--experimental`, so the
 * schema does not show which notifications are experimental. This list is maintained by hand.
 *
 * The list follows the markers in the public source of about 0.150. These facts were seen on later binaries:
 *
 * - 0.166.0 sends `thread/readState/changed` only after the opt-in.
 * - 0.155.0 and 0.166.0 send `thread/attachment/updated` and `thread/reverted` without the opt-in, although the source
 *   still marks `thread/reverted` as experimental.
 *
 * Some notifications are not in that source, and were not tried:
 *
 * - `thread/prediction/updated` and `thread/realtime/item/*` are listed, because the methods that lead to them are
 *   experimental.
 * - `modelProvider/authRecovery*` and `account/gatewayOAuth/changed` are not listed, because no experimental method
 *   leads to them.
 */
export const EXPERIMENTAL_NOTIFICATIONS: Readonly<Record<string, ExperimentalNotification>> = {
  "autoApprovalReview/strictReviewRequired": { since: "0.150.0" },
  "mcpServer/event/stream/notification": { since: "0.150.0" },
  "process/exited": { since: "0.130.0" },
  "process/outputDelta": { since: "0.130.0" },
  "project/changed": { since: "0.150.0" },
  "thread/environment/connected": { since: "0.145.0" },
  "thread/environment/disconnected": { since: "0.145.0" },
  "thread/prediction/updated": { since: "0.166.0" },
  "thread/project/updated": { since: "0.150.0" },
  "thread/queue/changed": { since: "0.150.0" },
  "thread/readState/changed": { since: "0.166.0" },
  "thread/realtime/closed": { since: "0.110.0" },
  "thread/realtime/error": { since: "0.110.0" },
  "thread/realtime/item/completed": { since: "0.150.0" },
  "thread/realtime/item/started": { since: "0.150.0" },
  "thread/realtime/item/transcript/delta": { since: "0.150.0" },
  "thread/realtime/itemAdded": { since: "0.110.0" },
  "thread/realtime/outputAudio/delta": { since: "0.110.0" },
  "thread/realtime/sdp": { since: "0.120.0" },
  "thread/realtime/started": { since: "0.110.0" },
  "thread/realtime/transcript/delta": { since: "0.125.0" },
  "thread/realtime/transcript/done": { since: "0.125.0" },
  "thread/reverted": { since: "0.150.0", stableSince: "0.155.0" },
  "thread/settings/updated": { since: "0.135.0" },
  "turn/moderationMetadata": { since: "0.140.0" },
};
