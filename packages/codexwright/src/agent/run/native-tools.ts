import type { ThreadItem } from "../../protocol/index.ts";
import { excerpt, type ToolInvoked, type ToolOrigin } from "../tools/tool-invoked.ts";

/** A built-in action of the server, as a tool call. */
export interface NativeCall {
  readonly origin: Exclude<ToolOrigin, "app">;
  readonly name: string;
  readonly params: unknown;
}

/**
 * Converts an item into a tool call. Returns undefined if the item is not a tool call, or is a call to a tool of the
 * application.
 */
export function nativeCall(item: ThreadItem): NativeCall | undefined {
  switch (item.type) {
    case "commandExecution":
      return {
        origin: "command",
        name: "codex:command",
        params: { command: item.command, cwd: item.cwd },
      };
    case "fileChange": {
      const changes = (item.changes ?? []).map(({ path, kind }) => ({ path, kind: kind.type }));
      return { origin: "fileChange", name: "codex:file_change", params: { changes } };
    }
    case "mcpToolCall": {
      const { server, tool, arguments: args } = item;
      return { origin: "mcp", name: `codex:mcp:${tool}`, params: { server, tool, arguments: args } };
    }
    case "webSearch":
      return { origin: "webSearch", name: "codex:web_search", params: { query: item.query } };
    default:
      return undefined;
  }
}

/** The event for a native call that has ended. */
export function nativeInvoked(item: ThreadItem, call: NativeCall, durationMs: number): ToolInvoked {
  const problem = problemOf(item);
  return {
    type: "tool.invoked",
    ...call,
    callId: item.id,
    ok: problem === undefined,
    ...(problem && { error: problem }),
    output: excerpt(outputOf(item)),
    durationMs: "durationMs" in item && typeof item.durationMs === "number" ? item.durationMs : durationMs,
  };
}

function problemOf(item: ThreadItem): ToolInvoked["error"] {
  const { status, exitCode, error } = item as {
    status?: string;
    exitCode?: number | null;
    error?: { message?: string } | null;
  };
  if (status === "declined") return { kind: "denied", message: "The action was declined." };
  if (typeof exitCode === "number" && exitCode !== 0) {
    return { kind: "failure", message: `The command exited with code ${exitCode}.` };
  }
  // Web searches have no status.
  if (status === undefined || (status === "completed" && !error)) return undefined;
  return { kind: "failure", message: error?.message ?? `The action ended with status ${status}.` };
}

function outputOf(item: ThreadItem): string {
  switch (item.type) {
    case "commandExecution":
      return item.aggregatedOutput ?? "";
    case "fileChange":
      return (item.changes ?? []).map(({ diff }) => diff).join("\n");
    case "mcpToolCall":
      return item.error?.message ?? (item.result?.content ?? []).map(contentText).join("\n");
    default:
      return "";
  }
}

function contentText(content: unknown): string {
  const { text } = (content ?? {}) as { text?: unknown };
  return typeof text === "string" ? text : JSON.stringify(content);
}
