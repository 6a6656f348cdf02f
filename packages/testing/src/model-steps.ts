import { InvalidArgumentError } from "codexwright/rpc";
import type { Gate } from "./model-gate.ts";
import type { ModelRequest } from "./model-request.ts";
import * as is from "codexwright/internal/options";
import { checkOptions } from "codexwright/internal";
import * as tables from "./model-tables.ts";

/** Tokens one response reports, in the words of `thread/tokenUsage/updated`; what is left out has a fixed default. */
export interface ModelUsage {
  readonly inputTokens?: number;
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
  readonly reasoningOutputTokens?: number;
  /** Input plus output unless given. */
  readonly totalTokens?: number;
}

/** Options every output item takes. */
export interface ItemOptions {
  /** Usage of the whole response; where several items give it, later fields win. */
  readonly usage?: ModelUsage;
}

/** How a text is cut into deltas: a count of nearly equal pieces, or the pieces with gates between them. */
export type Deltas = number | readonly (string | Gate)[];

/** Options of {@link reply}. */
export interface ReplyOptions extends ItemOptions {
  /** Default 1. 0 sends the finished message only; a count never splits a character. */
  readonly deltas?: Deltas;
  /** Sent with the finished message: `commentary`, `partial_answer`, `final_answer`. Codex 0.98 drops it. */
  readonly phase?: "commentary" | "partial_answer" | "final_answer" | (string & {});
  /** Pause before every delta but the first. Prefer a {@link Gate}: it does not depend on a clock. */
  readonly delayMs?: number;
}

/** Options of {@link reasoning}. */
export interface ReasoningOptions extends ItemOptions {
  /** Deltas per summary part; default 1. */
  readonly deltas?: number;
  /** Raw reasoning text, sent as `item/reasoning/textDelta`. */
  readonly content?: string;
  readonly delayMs?: number;
}

/** Options of {@link toolCall} and {@link applyPatch}. */
export interface CallOptions extends ItemOptions {
  /** Default `call_<request>_<item>`, both counted from 0. Must be unique within a thread. */
  readonly callId?: string;
  /** The namespace the tool was offered in. */
  readonly namespace?: string;
  /** What a fake server says the tool did, where it has no such tool itself; a real one finds out. */
  readonly outcome?: ToolOutcome;
}

/** What a tool that a fake server does not have is said to have done. */
export interface ToolOutcome {
  /** Of an MCP tool: text, or the `content` of its result. */
  readonly result?: string | readonly Readonly<Record<string, unknown>>[];
  /** Instead of a result: why it failed. */
  readonly error?: string;
}

/** Options of {@link exec}. */
export interface ExecOptions extends ItemOptions {
  readonly callId?: string;
  readonly workdir?: string;
  /** Asks to run outside the sandbox and says why, which makes Codex request an approval. */
  readonly justification?: string;
  /** Further arguments of the shell tool, as they are on the wire. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** What a fake server says the command wrote; several pieces come as deltas. A real one executes it. Default "". */
  readonly output?: string | readonly string[];
  /** What a fake server says it ended with. Default 0. */
  readonly exitCode?: number;
  /** Until when a fake server lets it run. */
  readonly until?: Gate;
}

/** Options of {@link mcpCall}. */
export type McpCallOptions = Omit<CallOptions, "namespace" | "outcome"> & ToolOutcome;

/** Options of {@link plan}. */
export interface PlanOptions extends CallOptions {
  readonly explanation?: string;
}

/** Options of {@link fail}. */
export interface FailOptions {
  /** Sent as both `error.code` and `error.type`, since Codex reads one or the other depending on the status. */
  readonly code?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of {@link truncate}. */
export interface TruncateOptions {
  /** Drops the connection in the middle of the body instead of ending it in good order. */
  readonly drop?: boolean;
}

/** One thing a response consists of. Made by {@link reply}, {@link toolCall} and their like. */
export type ModelItem =
  | { readonly kind: "reply"; readonly text: string; readonly options: ReplyOptions }
  | { readonly kind: "reasoning"; readonly parts: readonly string[]; readonly options: ReasoningOptions }
  | {
      readonly kind: "toolCall";
      readonly name: string;
      readonly args: unknown;
      readonly options: CallOptions;
    }
  | { readonly kind: "exec"; readonly cmd: string; readonly options: ExecOptions }
  | { readonly kind: "outputItem"; readonly item: Readonly<Record<string, unknown>> }
  | { readonly kind: "usage"; readonly usage: ModelUsage }
  | { readonly kind: "fail"; readonly status: number; readonly options: FailOptions }
  | { readonly kind: "streamFail"; readonly code: string; readonly message: string }
  | { readonly kind: "hang" }
  | { readonly kind: "truncate"; readonly text: string; readonly drop: boolean }
  | Gate;

/**
 * One response: a single item, or several in order.
 *
 * Calls in one response are parallel calls; Codex 0.98 runs them one at a time, and not always in this order.
 */
export type ModelResponse = ModelItem | readonly ModelItem[];

/** One element of a script: a response, or a function that makes it from the request. */
export type ModelStep = ModelResponse | ((request: ModelRequest) => ModelResponse | Promise<ModelResponse>);

/**
 * What a scripted model answers: one element per request in order of arrival, or one function for all of them.
 *
 * Use the function for concurrent turns, whose order is not fixed; `undefined` from it means the call was not expected.
 */
export type ModelScript =
  | readonly ModelStep[]
  | ((request: ModelRequest) => ModelResponse | undefined | Promise<ModelResponse | undefined>);

/** An assistant message. A response without a call ends the turn. */
export function reply(text: string, options: ReplyOptions = {}): ModelItem {
  is.checkArgument("reply()", "text", text, is.text);
  checkOptions("reply()", options, tables.REPLY);
  const { deltas = 1 } = options;
  if (typeof deltas !== "number" && deltas.filter((piece) => typeof piece === "string").join("") !== text)
    throw new InvalidArgumentError("deltas must add up to the text of the reply");
  return { kind: "reply", text, options };
}

/** A reasoning item; an array is several summary parts. Alone it is a whole response: the turn ends without a message. */
export function reasoning(summary: string | readonly string[], options: ReasoningOptions = {}): ModelItem {
  is.checkArgument("reasoning()", "summary", summary, tables.TEXTS);
  checkOptions("reasoning()", options, tables.REASONING);
  return { kind: "reasoning", parts: typeof summary === "string" ? [summary] : summary, options };
}

/** A function call. A string as `args` is sent as it is, so that malformed JSON can be tested too. */
export function toolCall(name: string, args: unknown, options: CallOptions = {}): ModelItem {
  is.checkArgument("toolCall()", "name", name, is.text);
  checkOptions("toolCall()", options, tables.CALL);
  return { kind: "toolCall", name, args, options };
}

/**
 * A shell command, through whichever shell tool the request offers.
 *
 * Codex runs it in a login shell and, unless `args` says otherwise, waits 10 s before it leaves it in the background.
 * With approval policy `never` a command the sandbox stopped has no `commandExecution` item: look at `toolOutputs`.
 */
export function exec(cmd: string, options: ExecOptions = {}): ModelItem {
  is.checkArgument("exec()", "cmd", cmd, is.text);
  checkOptions("exec()", options, tables.EXEC);
  return { kind: "exec", cmd, options };
}

/** A patch in the apply_patch format, sent as a heredoc through the shell tool. The Begin/End lines may be left out. */
export function applyPatch(patch: string, options: Omit<CallOptions, "namespace"> = {}): ModelItem {
  is.checkArgument("applyPatch()", "patch", patch, is.text);
  checkOptions("applyPatch()", options, tables.PLAIN_CALL);
  const body = patch.replace(/^\n+|\n+$/g, "");
  const whole = body.startsWith("*** Begin Patch") ? body : `*** Begin Patch\n${body}\n*** End Patch`;
  // A line of a patch starts with a mark, so this bare word cannot be one of them.
  return { kind: "exec", cmd: `apply_patch <<'PATCH'\n${whole}\nPATCH`, options };
}

/**
 * A call of an MCP server's tool, which Codex offers in a namespace of its own. What it says beside the arguments is
 * for a fake server that has no such MCP server.
 */
export function mcpCall(
  server: string,
  name: string,
  args: unknown,
  options: McpCallOptions = {},
): ModelItem {
  is.checkArgument("mcpCall()", "server", server, is.text);
  checkOptions("mcpCall()", options, tables.MCP_CALL);
  const { result, error, ...rest } = options;
  const outcome: ToolOutcome = {
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  };
  return toolCall(name, args, { ...rest, namespace: `mcp__${server}`, outcome });
}

/** A plan, by the tool `update_plan`; a real server offers it where its configuration turns it on. */
export function plan(
  steps: readonly { readonly step: string; readonly status: "pending" | "in_progress" | "completed" }[],
  options: PlanOptions = {},
): ModelItem {
  is.checkArgument("plan()", "steps", steps, is.listOf(is.object));
  checkOptions("plan()", options, tables.PLAN);
  const { explanation, ...rest } = options;
  return toolCall(
    "update_plan",
    { ...(explanation === undefined ? {} : { explanation }), plan: steps },
    rest,
  );
}

/** Questions to the user, by the tool `request_user_input`. */
export function userInput(
  questions: readonly {
    readonly id: string;
    readonly header: string;
    readonly question: string;
    readonly options?: readonly { readonly label: string; readonly description: string }[];
  }[],
  options: CallOptions = {},
): ModelItem {
  is.checkArgument("userInput()", "questions", questions, is.listOf(is.object));
  checkOptions("userInput()", options, tables.CALL);
  return toolCall("request_user_input", { questions }, options);
}

/** A sub-agent with this task. Its requests go to the same script: give a function that tells them apart. */
export function subAgent(message: string, options: Omit<CallOptions, "namespace"> = {}): ModelItem {
  is.checkArgument("subAgent()", "message", message, is.text);
  checkOptions("subAgent()", options, tables.PLAIN_CALL);
  return toolCall("spawn_agent", { message }, { ...options, namespace: "multi_agent_v1" });
}

/** Any output item in Responses API form, for what has no helper here. Sent as `response.output_item.done`. */
export function outputItem(item: Readonly<Record<string, unknown>>): ModelItem {
  is.checkArgument<object>("outputItem()", "item", item, is.object);
  return { kind: "outputItem", item };
}

/** Sets the usage of the response it stands in. */
export function usage(tokens: ModelUsage): ModelItem {
  checkOptions("usage()", tokens, tables.USAGE);
  return { kind: "usage", usage: tokens };
}

/** An HTTP error instead of a stream. Only gates may stand before it. */
export function fail(status: number, options: FailOptions = {}): ModelItem {
  if (!Number.isInteger(status) || status < 400 || status > 599)
    throw new InvalidArgumentError("status must be an HTTP error status, 400 to 599");
  checkOptions("fail()", options, tables.FAIL);
  return { kind: "fail", status, options };
}

/** Ends the stream with `response.failed`, after whatever stands before it. */
export function streamFail(code: string, message: string = code): ModelItem {
  is.checkArgument("streamFail()", "code", code, is.text);
  is.checkArgument("streamFail()", "message", message, is.text);
  return { kind: "streamFail", code, message };
}

/** Never goes on. First in a response not even headers are sent; it ends when the client goes or the model closes. */
export function hang(): ModelItem {
  return { kind: "hang" };
}

/** Starts a message with `text` as its only delta and cuts the stream there, without `response.completed`. */
export function truncate(text: string = "The rest of this is", options: TruncateOptions = {}): ModelItem {
  is.checkArgument("truncate()", "text", text, is.text);
  checkOptions("truncate()", options, tables.TRUNCATE);
  return { kind: "truncate", text, drop: options.drop ?? false };
}
