import type {
  DynamicToolCallResponse,
  DynamicToolFunctionSpec,
  JsonValue,
  ThreadItem,
} from "codexwright/protocol";
import type { WireObject } from "../wire-object.ts";
import { ask } from "../approvals/ask.ts";
import type { CallOutcome, ToolCall, ToolHandler } from "./tool-handler.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import type { TurnRun } from "../turn/turn-run.ts";

/** The client's tools, with which the thread was started. */
export function dynamicHandlers(thread: LoadedThread): ToolHandler<TurnRun>[] {
  return thread.record.dynamicTools.flatMap((spec) =>
    spec.type === "namespace"
      ? spec.tools.map((tool) => ({ ...handlerOf(tool, spec.name), namespaceDescription: spec.description }))
      : [handlerOf(spec, undefined)],
  );
}

/** A client's tool in the form of the Responses API. */
export function functionSpec({ name, description, inputSchema }: DynamicToolFunctionSpec): WireObject {
  return { type: "function", name, description, strict: false, parameters: inputSchema };
}

function handlerOf(tool: DynamicToolFunctionSpec, namespace: string | undefined): ToolHandler<TurnRun> {
  return {
    name: tool.name,
    namespace,
    parallel: true,
    spec: () => functionSpec(tool),
    run: (call, run) => shownCall(run, call, () => callClient(run, call)),
  };
}

/** Runs a call as an item of the turn. `answer` returns `undefined` if the turn was interrupted. */
export async function shownCall(
  run: TurnRun,
  call: ToolCall,
  answering: () => Promise<DynamicToolCallResponse | undefined>,
): Promise<CallOutcome> {
  const item = {
    type: "dynamicToolCall",
    id: call.callId,
    namespace: call.namespace,
    tool: call.name,
    arguments: call.input as JsonValue,
    status: "inProgress",
    contentItems: null,
    success: null,
    durationMs: null,
  } satisfies ThreadItem;
  run.items.start(item);
  const began = Date.now();
  const answer = await answering();
  const success = answer?.success ?? false;
  run.items.complete({
    ...item,
    status: success ? "completed" : "failed",
    contentItems: answer?.contentItems ?? [],
    success,
    durationMs: Date.now() - began,
  });
  run.signal.throwIfAborted();
  return { output: outputOf(answer?.contentItems ?? []) };
}

/** Calls a tool of the client. Returns the client's answer, or a failure in its place. */
async function callClient(run: TurnRun, call: ToolCall): Promise<DynamicToolCallResponse | undefined> {
  const { thread, id } = run;
  try {
    const answer = await ask(run, "item/tool/call", {
      threadId: thread.id,
      turnId: id,
      callId: call.callId,
      namespace: call.namespace,
      tool: call.name,
      arguments: call.input as JsonValue,
    });
    if (answer === undefined) return failed("dynamic tool request failed");
    return isAnswer(answer) ? answer : failed("dynamic tool response was invalid");
  } catch {
    // The turn was interrupted.
    return undefined;
  }
}

function isAnswer(answer: unknown): answer is DynamicToolCallResponse {
  const { success, contentItems } = (answer ?? {}) as Partial<DynamicToolCallResponse>;
  return typeof success === "boolean" && Array.isArray(contentItems);
}

function failed(text: string): DynamicToolCallResponse {
  return { success: false, contentItems: [{ type: "inputText", text }] };
}

/** The model receives text-only results as one text. */
function outputOf(items: DynamicToolCallResponse["contentItems"]): CallOutcome["output"] {
  if (items.every((item) => item.type === "inputText")) {
    return items.map((item) => (item as { text: string }).text).join("\n");
  }
  return items.map((item) => {
    if (item.type === "inputText") return { type: "input_text", text: (item as { text: string }).text };
    return { type: "input_image", image_url: (item as { imageUrl?: string }).imageUrl ?? "" };
  });
}
