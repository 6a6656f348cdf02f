/** A small MCP server on stdio: one tool, which asks its user a question, and one resource. */
import { createInterface } from "node:readline";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly arguments?: { readonly text?: string } };
  readonly result?: { readonly action: string; readonly content?: { readonly notebook?: string } };
}

const notes: string[] = [];
const QUESTION = {
  message: "Which notebook?",
  requestedSchema: {
    type: "object",
    properties: { notebook: { type: "string" } },
    required: ["notebook"],
  },
};
const TOOL = {
  name: "add_note",
  description: "Adds a note",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};
/** Calls of the tool that wait for the user, by the id of the question. */
const asked = new Map<string, { readonly call: Message["id"]; readonly text: string }>();

const send = (message: object): void => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));

function answer({ id, method, params, result }: Message): void {
  const reply = (value: object): void => send({ id, result: value });
  switch (method) {
    case "initialize":
      return reply({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: "notes", version: "1.0.0" },
      });
    case "tools/list":
      return reply({ tools: [TOOL] });
    case "resources/list":
      return reply({ resources: [{ uri: "notes://all", name: "all", mimeType: "text/plain" }] });
    case "resources/read":
      return reply({ contents: [{ uri: "notes://all", mimeType: "text/plain", text: notes.join("\n") }] });
    case "tools/call":
      asked.set(`ask-${asked.size}`, { call: id, text: params?.arguments?.text ?? "" });
      return send({ id: `ask-${asked.size - 1}`, method: "elicitation/create", params: QUESTION });
    case undefined: {
      const { call, text } = asked.get(String(id)) ?? {};
      const notebook = result?.content?.notebook;
      if (notebook !== undefined) notes.push(`${notebook}: ${text}`);
      return send({ id: call, result: { content: [{ type: "text", text: `note: ${result?.action}` }] } });
    }
    default:
      if (id !== undefined) send({ id, error: { code: -32601, message: `unknown method ${method}` } });
  }
}

createInterface({ input: process.stdin }).on("line", (line) => answer(JSON.parse(line) as Message));
