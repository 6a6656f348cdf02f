import type { ConversationTextRole, ThreadRealtimeStartParams } from "../../protocol/index.ts";
import type { CallOptions } from "../requester.ts";

/** How a conversation in text starts: the wire's options but those that are for audio only. */
export interface RealtimeOptions extends Omit<
  ThreadRealtimeStartParams,
  "threadId" | "outputModality" | "transport" | "voice" | "voiceSessionId"
> {
  /** Stops the conversation whenever it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Of the start, until the conversation runs; default 30,000, 0 = none. */
  readonly timeoutMs?: number | undefined;
}

export interface RealtimeTextOptions extends CallOptions {
  /** Whose words these are; the server's default is `user`. */
  readonly role?: ConversationTextRole | undefined;
}
