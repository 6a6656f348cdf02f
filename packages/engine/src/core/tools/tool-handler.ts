import type { WireObject } from "../wire-object.ts";

/** A tool call of the model. */
export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  readonly namespace: string | null;
  /** The arguments as the model wrote them. For a freeform tool this is plain text, otherwise it is JSON. */
  readonly args: string;
  /** The arguments as an object. For a freeform tool this is `{ input: args }`. */
  readonly input: WireObject;
}

/** The result of a tool call. */
export interface CallOutcome {
  /** Text for the model, or content items of the Responses API. */
  readonly output: string | readonly WireObject[];
  /** Whether the user's decision also ends the turn. */
  readonly cancelled?: boolean | undefined;
}

/** The parts of a running turn that a tool may use. */
export interface TurnView {
  readonly id: string;
  readonly threadId: string;
  /** The working directory of the turn. */
  readonly cwd: string;
  /** Aborts when the turn is interrupted. */
  readonly signal: AbortSignal;
}

/**
 * A tool that the model can call. If `run` throws, the model receives the error's message and the turn continues, unless
 * the turn was interrupted.
 */
export interface ToolHandler<in T extends TurnView = TurnView> {
  readonly name: string;
  readonly namespace?: string | undefined;
  /** Tells the model what the tools of the namespace have in common. One tool of the namespace needs it. */
  readonly namespaceDescription?: string | undefined;
  /** Whether calls may run at the same time as other parallel calls. Other calls run alone, in the model's order. */
  readonly parallel: boolean;
  /** Whether the model may also write the arguments as plain text, in a `custom_tool_call`. */
  readonly freeform?: boolean | undefined;
  /**
   * The tool in the form of the Responses API, without its namespace. `undefined` if the model is not offered the tool.
   * The handler still answers calls to its name.
   */
  readonly spec: (turn: T) => WireObject | undefined;
  readonly run: (call: ToolCall, turn: T) => Promise<CallOutcome> | CallOutcome;
}
