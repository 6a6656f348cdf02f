import type { ScenarioMcpTool } from "./scenario.ts";

interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly annotations?: { readonly readOnlyHint: boolean };
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** The tools of the MCP server that scenarios may use, as it lists them. */
export const MCP_TOOLS: Readonly<Record<ScenarioMcpTool, McpTool>> = {
  echo: {
    name: "echo",
    title: "Echo",
    description: "Says it again",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
  },
  ask: {
    name: "ask",
    description: "Asks the user for a colour",
    // A read-only tool needs no approval, so the elicitation is the only question.
    annotations: { readOnlyHint: true },
    inputSchema: { type: "object", properties: {} },
  },
};

/** The question of the tool `ask`. */
export const MCP_COLOUR: {
  readonly message: string;
  readonly requestedSchema: Readonly<Record<string, unknown>>;
} = {
  message: "Which colour?",
  requestedSchema: { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] },
};
