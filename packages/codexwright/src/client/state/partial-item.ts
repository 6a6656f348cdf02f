import type { ThreadItem } from "../../protocol/index.ts";

/**
 * Creates an item whose start was missed, so that only its type and id are known.
 *
 * This happens after a resume during a turn: the server sends the remaining deltas of an open item, but not its start.
 */
export function partialItem(type: ThreadItem["type"], id: string): ThreadItem {
  switch (type) {
    case "agentMessage":
      return { type, id, text: "", phase: null, memoryCitation: null, delivery: null, questions: null };
    case "plan":
      return { type, id, text: "" };
    case "reasoning":
      return { type, id, summary: [], content: [] };
    case "commandExecution":
      return {
        type,
        id,
        pluginId: null,
        scriptPath: null,
        command: "",
        cwd: "",
        processId: null,
        source: "agent",
        status: "inProgress",
        commandActions: [],
        aggregatedOutput: null,
        exitCode: null,
        durationMs: null,
      };
    case "fileChange":
      return { type, id, changes: [], status: "inProgress" };
    case "mcpToolCall":
      return {
        type,
        id,
        server: "",
        tool: "",
        status: "inProgress",
        arguments: null,
        appContext: null,
        mcpAppUi: null,
        pluginId: null,
        readOnlyHint: null,
        result: null,
        error: null,
        durationMs: null,
      };
    default:
      // Only types that have deltas can miss their start.
      return { type, id } as ThreadItem;
  }
}
