// A small MCP server on stdio: newline-delimited JSON-RPC, two tools, one of which asks its user something.
import process from "node:process";
import { createInterface } from "node:readline";

const TOOLS = [
  {
    name: "echo",
    title: "Echo",
    description: "Says it again",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
  },
  {
    name: "ask",
    description: "Asks the user for a colour",
    annotations: { readOnlyHint: true },
    inputSchema: { type: "object", properties: {} },
  },
];

const COLOUR = { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] };

/** Our own requests that wait for an answer, by id. */
const waiting = new Map();

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function ask(method, params) {
  const id = `ask-${waiting.size}`;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ id, method, params });
  });
}

async function call({ name, arguments: args }) {
  const said =
    name === "echo"
      ? String(args?.text)
      : JSON.stringify(
          await ask("elicitation/create", { message: "Which colour?", requestedSchema: COLOUR }),
        );
  return { content: [{ type: "text", text: `${name}: ${said}` }] };
}

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "small", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: TOOLS }),
  "tools/call": call,
};

async function serve(line) {
  const { id, method, params, result, error } = JSON.parse(line);
  const answer = METHODS[method];
  if (method === undefined) waiting.get(id)?.(result ?? error);
  else if (id === undefined) return; // A notification.
  else if (answer) send({ id, result: await answer(params ?? {}) });
  else send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
}

createInterface({ input: process.stdin }).on("line", (line) => void serve(line));
