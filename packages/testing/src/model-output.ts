import type { WireObject } from "./model-request.ts";
import type { CallOptions, Deltas, ExecOptions, ModelUsage } from "./model-steps.ts";

/** A function call item. `at` makes its ids unique within the model. */
export function functionCall(at: string, name: string, args: unknown, options: CallOptions): WireObject {
  return {
    type: "function_call",
    id: `fc_${at}`,
    call_id: options.callId ?? `call_${at}`,
    name,
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    arguments: typeof args === "string" ? args : JSON.stringify(args),
  };
}

/**
 * A call to the shell tool among `tools`. The offered tool depends on the server's version and features.
 *
 * If `tools` contains no shell tool, calls `exec_command` anyway, and Codex answers that there is no such tool.
 */
export function shellCall(
  at: string,
  tools: readonly string[],
  cmd: string,
  options: ExecOptions,
): WireObject {
  const rest = {
    ...(options.workdir === undefined ? {} : { workdir: options.workdir }),
    ...(options.justification === undefined
      ? {}
      : { sandbox_permissions: "require_escalated", justification: options.justification }),
    ...options.args,
  };
  const call = options.callId === undefined ? {} : { callId: options.callId };
  if (!tools.includes("exec_command")) {
    if (tools.includes("shell_command"))
      return functionCall(at, "shell_command", { command: cmd, ...rest }, call);
    if (tools.includes("shell"))
      return functionCall(at, "shell", { command: ["bash", "-lc", cmd], ...rest }, call);
  }
  return functionCall(at, "exec_command", { cmd, ...rest }, call);
}

/** A message of the model. */
export function message(id: string, text: string): WireObject {
  return {
    type: "message",
    id,
    role: "assistant",
    content: [{ type: "output_text", text, annotations: [] }],
  };
}

/** A finished reasoning item. */
export function reasoningItem(id: string, parts: readonly string[], content: string | undefined): WireObject {
  return {
    type: "reasoning",
    id,
    summary: parts.map((text) => ({ type: "summary_text", text })),
    ...(content === undefined ? {} : { content: [{ type: "reasoning_text", text: content }] }),
  };
}

/** Fills in missing usage. The default is 100 tokens in and 10 out. */
export function wholeUsage(usage: ModelUsage): Required<ModelUsage> {
  const { inputTokens = 100, cachedInputTokens = 0, outputTokens = 10, reasoningOutputTokens = 0 } = usage;
  const totalTokens = usage.totalTokens ?? inputTokens + outputTokens;
  return { inputTokens, cachedInputTokens, outputTokens, reasoningOutputTokens, totalTokens };
}

/** Usage on the wire. */
export function usageOf(usage: ModelUsage): WireObject {
  const whole = wholeUsage(usage);
  return {
    input_tokens: whole.inputTokens,
    input_tokens_details: { cached_tokens: whole.cachedInputTokens },
    output_tokens: whole.outputTokens,
    output_tokens_details: { reasoning_tokens: whole.reasoningOutputTokens },
    total_tokens: whole.totalTokens,
  };
}

/** Splits a text into deltas. A count makes nearly equal pieces, at most one per character. */
export function deltasOf<D extends Deltas>(text: string, deltas: D): D extends number ? readonly string[] : D;
export function deltasOf(text: string, deltas: Deltas): Deltas {
  if (typeof deltas !== "number") return deltas;
  if (deltas === 1) return text === "" ? [] : [text];
  const characters = Array.from(text);
  const count = Math.min(deltas, characters.length);
  const cut = (index: number): number => Math.floor((index * characters.length) / count);
  return Array.from({ length: count }, (_, index) => characters.slice(cut(index), cut(index + 1)).join(""));
}
