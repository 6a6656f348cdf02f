import type { DynamicToolCallResponse, JsonValue, ThreadItem } from "codexwright/protocol";
import type { WireObject } from "../wire-object.ts";
import { ask } from "../approvals/ask.ts";
import type { CallOutcome, ToolCall } from "./tool-call.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import type { TurnRun } from "../turn/turn-run.ts";

/** Whether the thread was started with this tool. */
export function findDynamicTool(thread: LoadedThread, call: ToolCall): boolean {
  return thread.record.dynamicTools.some((spec) =>
    spec.type === "namespace"
      ? spec.name === call.namespace && spec.tools.some((tool) => tool.name === call.name)
      : call.namespace === null && spec.name === call.name,
  );
}

/** Calls a tool of the client. The turn waits for the answer. */
export async function runDynamicTool(run: TurnRun, call: ToolCall, args: WireObject): Promise<CallOutcome> {
  const item = {
    type: "dynamicToolCall",
    id: call.callId,
    namespace: call.namespace,
    tool: call.name,
    arguments: args as JsonValue,
    status: "inProgress",
    contentItems: null,
    success: null,
    durationMs: null,
  } satisfies ThreadItem;
  run.items.start(item);
  const began = Date.now();
  const answer = await callClient(run, call, args);
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

/** Returns the client's answer or a failure in its place. Returns `undefined` if the turn was interrupted. */
async function callClient(
  run: TurnRun,
  call: ToolCall,
  args: WireObject,
): Promise<DynamicToolCallResponse | undefined> {
  const { thread, id } = run;
  try {
    const answer = await ask(run, "item/tool/call", {
      threadId: thread.id,
      turnId: id,
      callId: call.callId,
      namespace: call.namespace,
      tool: call.name,
      arguments: args as JsonValue,
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
