import type { WireObject } from "../wire-object.ts";

/** A tool call of the model. */
export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  readonly namespace: string | null;
  /** The arguments as the model wrote them. They may not be valid JSON. */
  readonly args: string;
}

/** The result of a tool call. */
export interface CallOutcome {
  readonly output: string | readonly WireObject[];
  /** Whether the user's decision also ends the turn. */
  readonly cancelled?: boolean | undefined;
}

/** The result of a call to a tool that does not exist. */
export function unsupported(call: ToolCall): CallOutcome {
  return { output: `unsupported call: ${call.namespace ?? ""}${call.name}` };
}
