import { InvalidArgumentError } from "codexwright/rpc";
import type { Gate } from "./model-gate.ts";
import type { ModelRequest } from "./model-request.ts";
import * as is from "codexwright/internal/options";
import { checkOptions } from "codexwright/internal";
import * as tables from "./model-tables.ts";

/**
 * The tokens that one response reports, named as in `thread/tokenUsage/updated`. Missing fields have a fixed
 * default.
 */
export interface ModelUsage {
  readonly inputTokens?: number;
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
  readonly reasoningOutputTokens?: number;
  /** Default: input plus output. */
  readonly totalTokens?: number;
}

/** Options of every output item. */
export interface ItemOptions {
  /** Usage of the whole response. If several items set it, later fields win. */
  readonly usage?: ModelUsage;
}

/** How a text is split into deltas: a count of nearly equal pieces, or the pieces with gates between them. */
export type Deltas = number | readonly (string | Gate)[];

/** Options of {@link reply}. */
export interface ReplyOptions extends ItemOptions {
  /** Default 1. 0 sends only the finished message. A count never splits a character. */
  readonly deltas?: Deltas;
  /** Sent with the finished message: `commentary`, `partial_answer`, `final_answer`. Codex 0.98 drops it. */
  readonly phase?: "commentary" | "partial_answer" | "final_answer" | (string & {});
  /** A pause before every delta but the first. Prefer a {@link Gate}, which does not depend on a clock. */
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
  /** The namespace in which the tool was offered. */
  readonly namespace?: string;
  /** The outcome that a fake server reports if it does not have the tool. A real server executes the call. */
  readonly outcome?: ToolOutcome;
}

/** The outcome of a tool that a fake server does not have. */
export interface ToolOutcome {
  /** The result of an MCP tool: text, or the `content` of its result. */
  readonly result?: string | readonly Readonly<Record<string, unknown>>[];
  /** Why the tool failed. Use it instead of `result`. */
  readonly error?: string;
}

/** Options of {@link exec}. */
export interface ExecOptions extends ItemOptions {
  readonly callId?: string;
  readonly workdir?: string;
  /** The reason for running outside the sandbox, which makes Codex request an approval. */
  readonly justification?: string;
  /** More arguments of the shell tool, in their wire form. */
  readonly args?: Readonly<Record<string, unknown>>;
  /**
   * The output that a fake server reports; several pieces are sent as deltas. A real server executes the
   * command. Default "".
   */
  readonly output?: string | readonly string[];
  /** The exit code that a fake server reports. Default 0. */
  readonly exitCode?: number;
  /** A fake server lets the command run until this gate opens. */
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
  /** Sent as both `error.code` and `error.type`: Codex reads one or the other, depending on the status. */
  readonly code?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of {@link truncate}. */
export interface TruncateOptions {
  /** Drops the connection in the middle of the body instead of ending it cleanly. */
  readonly drop?: boolean;
}

/** One part of a response. Created by {@link reply}, {@link toolCall} and similar functions. */
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
 * Calls in one response are parallel calls. Codex 0.98 runs them one at a time, and not always in this order.
 */
export type ModelResponse = ModelItem | readonly ModelItem[];

/** One step of a script: a response, or a function that creates it from the request. */
export type ModelStep = ModelResponse | ((request: ModelRequest) => ModelResponse | Promise<ModelResponse>);

/**
 * The answers of a scripted model: one step per request in order of arrival, or one function for all requests.
 *
 * Use the function for concurrent turns, whose order is not fixed. If the function returns `undefined`, the model call
 * counts as unexpected.
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

/**
 * A reasoning item. An array means several summary parts. If it is the only item of a response, the turn ends without a
 * message.
 */
export function reasoning(summary: string | readonly string[], options: ReasoningOptions = {}): ModelItem {
  is.checkArgument("reasoning()", "summary", summary, tables.TEXTS);
  checkOptions("reasoning()", options, tables.REASONING);
  return { kind: "reasoning", parts: typeof summary === "string" ? [summary] : summary, options };
}

/** A function call. If `args` is a string, it is sent unchanged, so that malformed JSON can be tested too. */
export function toolCall(name: string, args: unknown, options: CallOptions = {}): ModelItem {
  is.checkArgument("toolCall()", "name", name, is.text);
  checkOptions("toolCall()", options, tables.CALL);
  return { kind: "toolCall", name, args, options };
}

/**
 * A shell command, through whichever shell tool the request offers.
 *
 * Codex runs the command in a login shell. Unless `args` says otherwise, Codex moves a command to the background after
 * 10 s. With approval policy `never`, a command that the sandbox blocked has no `commandExecution` item: check
 * `toolOutputs`.
 */
export function exec(cmd: string, options: ExecOptions = {}): ModelItem {
  is.checkArgument("exec()", "cmd", cmd, is.text);
  checkOptions("exec()", options, tables.EXEC);
  return { kind: "exec", cmd, options };
}

/**
 * A patch in the apply_patch format, sent as a heredoc through the shell tool. The Begin/End lines are
 * optional.
 */
export function applyPatch(patch: string, options: Omit<CallOptions, "namespace"> = {}): ModelItem {
  is.checkArgument("applyPatch()", "patch", patch, is.text);
  checkOptions("applyPatch()", options, tables.PLAIN_CALL);
  const body = patch.replace(/^\n+|\n+$/g, "");
  const whole = body.startsWith("*** Begin Patch") ? body : `*** Begin Patch\n${body}\n*** End Patch`;
  // Every line of a patch starts with a marker character, so no line can be the bare word that ends the heredoc.
  return { kind: "exec", cmd: `apply_patch <<'PATCH'\n${whole}\nPATCH`, options };
}

/**
 * A call to a tool of an MCP server. Codex offers the tools of each MCP server in a separate namespace. `result` and
 * `error` are for a fake server that does not have this MCP server.
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

/** A plan, through the tool `update_plan`. A real server offers it only if its configuration enables it. */
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

/** Questions to the user, through the tool `request_user_input`. */
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

/**
 * Starts a sub-agent with this task. The same script answers the sub-agent's requests: use a function that
 * distinguishes them from the parent's requests.
 */
export function subAgent(message: string, options: Omit<CallOptions, "namespace"> = {}): ModelItem {
  is.checkArgument("subAgent()", "message", message, is.text);
  checkOptions("subAgent()", options, tables.PLAIN_CALL);
  return toolCall("spawn_agent", { message }, { ...options, namespace: "multi_agent_v1" });
}

/**
 * Any output item in Responses API form, for items without a helper here. Sent as
 * `response.output_item.done`.
 */
export function outputItem(item: Readonly<Record<string, unknown>>): ModelItem {
  is.checkArgument<object>("outputItem()", "item", item, is.object);
  return { kind: "outputItem", item };
}

/** Sets the token usage of the response that contains it. */
export function usage(tokens: ModelUsage): ModelItem {
  checkOptions("usage()", tokens, tables.USAGE);
  return { kind: "usage", usage: tokens };
}

/** An HTTP error instead of a stream. Only gates may precede it. */
export function fail(status: number, options: FailOptions = {}): ModelItem {
  if (!Number.isInteger(status) || status < 400 || status > 599)
    throw new InvalidArgumentError("status must be an HTTP error status, 400 to 599");
  checkOptions("fail()", options, tables.FAIL);
  return { kind: "fail", status, options };
}

/** Ends the stream with `response.failed`, after the items before it. */
export function streamFail(code: string, message: string = code): ModelItem {
  is.checkArgument("streamFail()", "code", code, is.text);
  is.checkArgument("streamFail()", "message", message, is.text);
  return { kind: "streamFail", code, message };
}

/**
 * Stops the response forever. As the first item of a response, it does not even send headers. The response ends when
 * the client leaves or the model closes.
 */
export function hang(): ModelItem {
  return { kind: "hang" };
}

/** Starts a message with `text` as its only delta, then cuts the stream without `response.completed`. */
export function truncate(text: string = "The rest of this is", options: TruncateOptions = {}): ModelItem {
  is.checkArgument("truncate()", "text", text, is.text);
  checkOptions("truncate()", options, tables.TRUNCATE);
  return { kind: "truncate", text, drop: options.drop ?? false };
}
