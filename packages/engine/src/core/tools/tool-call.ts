import type { WireObject } from "../wire-object.ts";

/** A call of a tool by the model. */
export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  readonly namespace: string | null;
  /** JSON, or what the model takes for JSON. */
  readonly args: string;
}

/** What the model is told of a call. */
export interface CallOutcome {
  readonly output: string | readonly WireObject[];
  /** The user's decision ends the turn, too. */
  readonly cancelled?: boolean | undefined;
}

/** What the model is told of a tool that does not exist. */
export function unsupported(call: ToolCall): CallOutcome {
  return { output: `unsupported call: ${call.namespace ?? ""}${call.name}` };
}
