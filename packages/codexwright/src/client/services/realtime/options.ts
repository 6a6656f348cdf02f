import type { ConversationTextRole, ThreadRealtimeStartParams } from "../../../protocol/index.ts";
import * as is from "../../../rpc/options/check.ts";
import type { Table } from "../../../rpc/options/table.ts";
import { CALL_OPTIONS, type CallOptions } from "../../connection/requester.ts";

/** Options to start a text conversation: the wire's options without those for audio. */
export interface RealtimeOptions extends Omit<
  ThreadRealtimeStartParams,
  "threadId" | "outputModality" | "transport" | "voice" | "voiceSessionId"
> {
  /** Stops the conversation when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of the start, until the conversation runs; default 30,000, 0 = no limit. */
  readonly timeoutMs?: number | undefined;
}

export interface RealtimeTextOptions extends CallOptions {
  /** The speaker of this text; the server's default is `user`. */
  readonly role?: ConversationTextRole | undefined;
}

/** The server validates the options that have no check here. */
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
