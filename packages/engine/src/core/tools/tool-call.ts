import type { WireObject } from "../wire-object.ts";

/** A tool call of the model. */
export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  readonly namespace: string | null;
  /** JSON, which may be invalid. */
  readonly args: string;
}

/** The result of a call, for the model. */
export interface CallOutcome {
  readonly output: string | readonly WireObject[];
  /** Whether the user's decision also ends the turn. */
  readonly cancelled?: boolean | undefined;
}

/** Returns the result for a call of a tool that does not exist. */
export function unsupported(call: ToolCall): CallOutcome {
  return { output: `unsupported call: ${call.namespace ?? ""}${call.name}` };
}
