import { isJsonObject, offAbort, onAbort, shape, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import { CodexError } from "codexwright/rpc";
import type { Clock, ModelRequest } from "./ports.ts";
import type { CallOutcome, ToolCall } from "./tools/tool-handler.ts";
import { unlessStuck } from "./turn/unless-stuck.ts";
import type { WireObject } from "./wire-object.ts";

/** The turn in which a hook is called. */
export interface HookContext {
  readonly threadId: string;
  readonly turnId: string;
  /** Aborts if the turn is interrupted, or if the time of the hook is over. */
  readonly signal: AbortSignal;
}

type Answer<T> = T | undefined | void | Promise<T | undefined | void>;

/**
 * Functions of the embedding program that see what the engine does, and can change or prevent it. A hook that throws,
 * takes too long or returns a wrong value prevents what it was asked about.
 */
export interface EngineHooks {
  /**
   * Called before a tool runs, with the call of the model. Returns nothing to let it run, `input` to run it with other
   * arguments, or `output` to answer the call without running the tool. If the hook fails, the tool does not run.
   */
  readonly beforeTool?:
    | ((
        call: ToolCall,
        context: HookContext,
      ) => Answer<{ readonly input: WireObject } | Pick<CallOutcome, "output">>)
    | undefined;
  /**
   * Called after a tool has run or failed, with its output. Returns nothing, or another `output` for the model. If the
   * hook fails, the model does not get the output.
   */
  readonly afterTool?:
    | ((call: ToolCall, outcome: CallOutcome, context: HookContext) => Answer<Pick<CallOutcome, "output">>)
    | undefined;
  /**
   * Called before each request to the model, also before a repeated one, and for compactions and reviews. Returns nothing,
   * or another request. If the hook fails, the request is not sent and the turn fails.
   */
  readonly beforeRequest?:
    | ((request: ModelRequest, context: HookContext) => Answer<ModelRequest>)
    | undefined;
  /** How long one call of a hook may take. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
}

export const HOOKS: Table<EngineHooks> = {
  beforeTool: is.func,
  afterTool: is.func,
  beforeRequest: is.func,
  timeoutMs: is.integer(1),
};

export const checkHooks: ReturnType<typeof shape<EngineHooks>> = shape(HOOKS);

/** A hook failed. The message is for the model or for clients; `cause` is the error of the hook. */
export class HookError extends CodexError {
  readonly code = "hook_failed";
}

/** The parts of an engine that hooks need. */
export interface HookHost {
  readonly hooks: EngineHooks;
  readonly clock: Clock;
}

/** Calls the hook before a tool. */
export async function beforeTool(
  host: HookHost,
  call: ToolCall,
  context: HookContext,
): Promise<{ readonly input: WireObject } | Pick<CallOutcome, "output"> | undefined> {
  const hook = host.hooks.beforeTool;
  if (!hook) return undefined;
  const answer = await called(host, "beforeTool", context, (inside) => hook(call, inside));
  if (answer === undefined || isOutput(answer)) return answer;
  if (isJsonObject(answer) && isJsonObject(answer["input"])) return { input: answer["input"] };
  throw wrongValue("beforeTool");
}

/** Calls the hook after a tool. Returns what the model gets. */
export async function afterTool(
  host: HookHost,
  call: ToolCall,
  outcome: CallOutcome,
  context: HookContext,
): Promise<CallOutcome> {
  const hook = host.hooks.afterTool;
  if (!hook) return outcome;
  const answer = await called(host, "afterTool", context, (inside) => hook(call, outcome, inside));
  if (answer === undefined) return outcome;
  if (isOutput(answer)) return { ...outcome, output: answer.output };
  throw wrongValue("afterTool");
}

/** Calls the hook before a request. Returns the request to send. */
export async function beforeRequest(
  host: HookHost,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelRequest> {
  const hook = host.hooks.beforeRequest;
  if (!hook) return request;
  const { thread, turn = "" } = request.ids;
  const context = { threadId: thread, turnId: turn, signal };
  const answer = await called(host, "beforeRequest", context, (inside) => hook(request, inside));
  if (answer === undefined) return request;
  if (isRequest(answer)) return answer;
  throw wrongValue("beforeRequest");
}

const TIMEOUT_MS = 30_000;

type HookName = "beforeTool" | "afterTool" | "beforeRequest";

async function called<T>(
  { hooks, clock }: HookHost,
  name: HookName,
  context: HookContext,
  hook: (context: HookContext) => Answer<T>,
): Promise<T | undefined> {
  const { timeoutMs = TIMEOUT_MS } = hooks;
  const { signal } = context;
  signal.throwIfAborted();
  const stop = new AbortController();
  const abort = (): void => stop.abort(signal.reason);
  onAbort(signal, abort);
  const late = new HookError(`the hook ${name} took longer than ${timeoutMs} ms`);
  const cancel = clock.after(timeoutMs, () => stop.abort(late));
  const work = async (): Promise<T | undefined> =>
    (await hook({ ...context, signal: stop.signal })) ?? undefined;
  try {
    return await unlessStuck(stop.signal, work());
  } catch (error) {
    signal.throwIfAborted();
    throw stop.signal.aborted ? late : new HookError(`the hook ${name} failed`, { cause: error });
  } finally {
    cancel();
    offAbort(signal, abort);
  }
}

function isOutput(answer: unknown): answer is Pick<CallOutcome, "output"> {
  if (!isJsonObject(answer)) return false;
  const { output } = answer;
  return typeof output === "string" || (Array.isArray(output) && output.every((part) => isJsonObject(part)));
}

function isRequest(answer: unknown): answer is ModelRequest {
  if (!isJsonObject(answer)) return false;
  const { model, instructions, input, tools, ids } = answer;
  const lists = [input, tools].every(
    (list) => Array.isArray(list) && list.every((each) => isJsonObject(each)),
  );
  return lists && typeof model === "string" && typeof instructions === "string" && isJsonObject(ids);
}

function wrongValue(name: HookName): HookError {
  return new HookError(`the hook ${name} returned a wrong value`);
}
