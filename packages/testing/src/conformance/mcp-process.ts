/**
 * A small MCP server for scenarios. The real app-server starts it. It speaks newline-delimited JSON-RPC on stdio, and
 * offers the tools that its arguments name.
 */
import { createInterface } from "node:readline";
import { MCP_COLOUR, MCP_TOOLS } from "./mcp-tools.ts";
import type { ScenarioMcpTool } from "./scenario.ts";

type Wire = Readonly<Record<string, unknown>>;

/** Our own pending requests, by id. */
const waiting = new Map<unknown, (answer: unknown) => void>();

function send(message: Wire): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function ask(method: string, params: object): Promise<unknown> {
  const id = `ask-${waiting.size}`;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ id, method, params });
  });
}

async function call(params: Wire): Promise<Wire> {
  const name = String(params["name"]);
  const said =
    name === "echo"
      ? String((params["arguments"] as Wire | undefined)?.["text"])
      : JSON.stringify(await ask("elicitation/create", MCP_COLOUR));
  return { content: [{ type: "text", text: `${name}: ${said}` }] };
}

const METHODS: Readonly<Record<string, (params: Wire) => Wire | Promise<Wire>>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "small", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: process.argv.slice(2).map((name) => MCP_TOOLS[name as ScenarioMcpTool]) }),
  "tools/call": call,
};

async function serve(line: string): Promise<void> {
  const { id, method, params, result, error } = JSON.parse(line) as Wire & { readonly method?: string };
  if (method === undefined) return waiting.get(id)?.(result ?? error);
  if (id === undefined) return; // A notification.
  const answer = METHODS[method];
  if (answer) send({ id, result: await answer((params ?? {}) as Wire) });
  else send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
}

createInterface({ input: process.stdin }).on("line", (line) => void serve(line));
