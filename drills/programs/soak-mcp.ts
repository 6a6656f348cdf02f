/**
 * An MCP server on stdio with one tool. It writes the token of each call to the file LEDGER, and then answers, hangs,
 * floods its client or dies, as the call says.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

type Wire = Readonly<Record<string, unknown>>;

/** A flood of notifications, before the answer. */
const FLOOD = 400;

const NOTE = {
  name: "note",
  description: "Notes a token.",
  inputSchema: { type: "object", properties: { token: { type: "string" }, mode: { type: "string" } } },
  annotations: { readOnlyHint: true },
};

function send(message: Wire): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function call(params: Wire): Promise<Wire> {
  const { token, mode } = (params["arguments"] ?? {}) as Wire;
  appendFileSync(process.env["LEDGER"] ?? "", `${String(token)}\n`);
  if (mode === "die") process.exit(1);
  if (mode === "hang") await new Promise(() => {});
  if (mode === "flood") {
    const data = "x".repeat(4_096);
    for (let n = 0; n < FLOOD; n++)
      send({ method: "notifications/message", params: { level: "info", data } });
  }
  return { content: [{ type: "text", text: `noted ${String(token)}` }] };
}

const METHODS: Readonly<Record<string, (params: Wire) => Wire | Promise<Wire>>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "drill", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [NOTE] }),
  "tools/call": call,
};

async function serve(line: string): Promise<void> {
  const { id, method, params } = JSON.parse(line) as Wire;
  if (id === undefined || typeof method !== "string") return;
  const answer = METHODS[method];
  if (answer) send({ id, result: await answer((params ?? {}) as Wire) });
  else send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
}

createInterface({ input: process.stdin }).on("line", (line) => void serve(line));
