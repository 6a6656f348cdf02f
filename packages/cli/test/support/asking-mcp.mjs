/** A small MCP server on stdio. Its only tool asks the user what its arguments say, and returns the answer. */
import { createInterface } from "node:readline";

let answered = () => {};
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const TOOL = {
  name: "ask",
  description: "Asks the user",
  // A read-only tool needs no approval, so the elicitation is the only question.
  annotations: { readOnlyHint: true },
  inputSchema: { type: "object", properties: {} },
};

async function call({ arguments: params }) {
  const answer = await new Promise((resolve) => {
    answered = resolve;
    send({ id: "ask", method: "elicitation/create", params });
  });
  return { content: [{ type: "text", text: `answer: ${JSON.stringify(answer)}` }] };
}

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "asking", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [TOOL] }),
  "tools/call": call,
};

async function serve(line) {
  const { id, method, params = {}, result, error } = JSON.parse(line);
  if (method === undefined) return answered(result ?? error);
  if (id === undefined) return;
  const answer = METHODS[method];
  if (answer) send({ id, result: await answer(params) });
  else send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
}

createInterface({ input: process.stdin }).on("line", (line) => void serve(line));
