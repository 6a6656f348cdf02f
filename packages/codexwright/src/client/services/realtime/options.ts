import type { ConversationTextRole, ThreadRealtimeStartParams } from "../../../protocol/index.ts";
import * as is from "../../../rpc/options/check.ts";
import type { Table } from "../../../rpc/options/table.ts";
import { CALL_OPTIONS, type CallOptions } from "../../connection/requester.ts";

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

/** The server validates the values of those without a check. */
export const REALTIME_OPTIONS: Table<RealtimeOptions> = {
  ...CALL_OPTIONS,
  clientManagedHandoffs: is.anything,
  delegationAckFiller: is.anything,
  flushTranscriptTailOnSessionEnd: is.anything,
  codexResponsesAsItems: is.anything,
  codexResponseItemPrefix: is.anything,
  codexResponseHandoffMode: is.anything,
  backendReasoningStatus: is.anything,
  codexResponseHandoffChannelPrefixes: is.anything,
  model: is.anything,
  includeStartupContext: is.anything,
  initialItems: is.anything,
  realtimeStartInstructions: is.anything,
  realtimeEndInstructions: is.anything,
  prompt: is.anything,
  realtimeSessionId: is.anything,
  version: is.anything,
};

export const REALTIME_TEXT: Table<RealtimeTextOptions> = { ...CALL_OPTIONS, role: is.text };
