import * as is from "codexwright/internal/options";
import { shape, type Table } from "codexwright/internal";
import type {
  CallOptions,
  ExecOptions,
  FailOptions,
  ItemOptions,
  ModelUsage,
  PlanOptions,
  ReasoningOptions,
  ReplyOptions,
  ToolOutcome,
  TruncateOptions,
  McpCallOptions,
} from "./model-steps.ts";

/** The parts of a reasoning summary. */
export const TEXTS: is.Check<string | readonly string[]> = is.either(is.text, is.listOf(is.text));

export const USAGE: Table<ModelUsage> = {
  inputTokens: is.integer(0),
  cachedInputTokens: is.integer(0),
  outputTokens: is.integer(0),
  reasoningOutputTokens: is.integer(0),
  totalTokens: is.integer(0),
};

const ITEM: Table<ItemOptions> = { usage: shape(USAGE) };

export const REPLY: Table<ReplyOptions> = {
  ...ITEM,
  deltas: is.either(is.integer(0), is.listOf(is.anything)),
  phase: is.text,
  delayMs: is.milliseconds,
};

export const REASONING: Table<ReasoningOptions> = {
  ...ITEM,
  deltas: is.integer(0),
  content: is.text,
  delayMs: is.milliseconds,
};

const OUTCOME: Table<ToolOutcome> = { result: is.either(is.text, is.listOf(is.object)), error: is.text };

/** The options of a call whose namespace is fixed. */
export const PLAIN_CALL: Table<Omit<CallOptions, "namespace">> = {
  ...ITEM,
  callId: is.text,
  outcome: shape(OUTCOME),
};

export const CALL: Table<CallOptions> = { ...PLAIN_CALL, namespace: is.text };

export const MCP_CALL: Table<McpCallOptions> = { ...ITEM, ...OUTCOME, callId: is.text };

export const PLAN: Table<PlanOptions> = { ...CALL, explanation: is.text };

export const EXEC: Table<ExecOptions> = {
  ...ITEM,
  callId: is.text,
  workdir: is.text,
  justification: is.text,
  args: is.object,
  output: is.either(is.text, is.listOf(is.text)),
  exitCode: is.finite,
  until: is.object,
};

export const FAIL: Table<FailOptions> = { code: is.text, message: is.text, headers: is.recordOf(is.text) };

export const TRUNCATE: Table<TruncateOptions> = { drop: is.flag };
