import { lenientJson } from "../json.ts";
import type { AgentEvent } from "./events.ts";

/** The kind of a transcript entry. */
export type TranscriptKind =
  | "user_message"
  | "assistant_message"
  | "tool_use"
  | "tool_result"
  | "thinking"
  | "system_event"
  | "token_usage"
  | "error"
  | "unknown";

/** One line of a transcript. */
export interface TranscriptEntry {
  readonly kind: TranscriptKind;
  /** Counts from 0 without gaps. */
  readonly seq: number;
  readonly at: number;
  readonly runId: string;
  readonly promptId: string;
  readonly threadId?: string;
  readonly turnId?: string;
  readonly content: Readonly<Record<string, unknown>>;
}

type Line = readonly [TranscriptKind, Readonly<Record<string, unknown>>];

/** Builds a transcript from the events of a run. Text deltas are omitted, because the complete messages follow. */
export function transcriptOf(events: Iterable<AgentEvent>): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  for (const event of events) {
    const line = lineOf(event);
    if (!line) continue;
    const [kind, content] = line;
    const { at, runId, promptId, threadId, turnId } = event;
    entries.push({
      kind,
      seq: entries.length,
      at,
      runId,
      promptId,
      ...(threadId !== undefined && { threadId }),
      ...(turnId !== undefined && { turnId }),
      content,
    });
  }
  return entries;
}

/**
 * Serialises entries or events as JSONL: one JSON object per line. Never throws: values that JSON cannot represent
 * are omitted.
 */
export function toJsonl(values: Iterable<unknown>): string {
  return Array.from(values, (value) => `${lenientJson(value)}\n`).join("");
}

function lineOf(event: AgentEvent): Line | undefined {
  switch (event.type) {
    case "text.delta":
      return undefined;
    case "prompt.rendered":
      return ["user_message", { text: event.text, tools: event.tools.map(({ name }) => name) }];
    case "prompt.continued":
      return ["user_message", { text: event.feedback, reason: event.reason }];
    case "message":
      return ["assistant_message", { text: event.text, ...(event.phase && { phase: event.phase }) }];
    case "reasoning":
      return ["thinking", { text: event.text }];
    case "tool.started": {
      const { callId, origin, name, params } = event;
      return ["tool_use", { callId, origin, name, params }];
    }
    case "tool.invoked": {
      const { callId, origin, name, ok, error, output, durationMs } = event;
      return ["tool_result", { callId, origin, name, ok, ...(error && { error }), output, durationMs }];
    }
    case "usage":
      return ["token_usage", { delta: event.delta, total: event.total }];
    case "prompt.executed":
      return event.error
        ? ["error", { ...event.error }]
        : ["system_event", { type: event.type, usage: event.usage }];
    case "thread.started":
    case "turn.started":
    case "approval":
    case "retrying":
    case "prompt.expanded":
    case "tool.log":
    case "warning":
      return ["system_event", bodyOf(event)];
    default:
      return ["unknown", bodyOf(event)];
  }
}

function bodyOf(event: object): Readonly<Record<string, unknown>> {
  const stamp = new Set(["adapter", "runId", "promptId", "threadId", "turnId", "seq", "at"]);
  return Object.fromEntries(Object.entries(event).filter(([name]) => !stamp.has(name)));
}
