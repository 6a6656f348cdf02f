import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  readonly origin: string;
  /** The headers of all requests, with their path. */
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
  }[];
}

type Message = { readonly id?: number; readonly method?: string; readonly params?: Record<string, unknown> };
type Answer = (message: Message, request: IncomingMessage, response: ServerResponse) => void | "usual";

export const TOOLS = [{ name: "echo", inputSchema: { type: "object" } }];

/** The answers of a server that follows the protocol. */
export function resultOf({ method, params = {} }: Message): unknown {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params["protocolVersion"],
        capabilities: { tools: {} },
        serverInfo: { name: "http", version: "1" },
      };
    case "tools/list":
      return { tools: TOOLS };
    default:
      return { content: [{ type: "text", text: `echo: ${JSON.stringify(params["arguments"])}` }] };
  }
}

export function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** An MCP server on loopback. `answer` returns "usual" for an answer as in the protocol. */
export async function httpServer(
  answer: Answer = () => "usual",
  other: (path: URL, body: string, response: ServerResponse) => void = (_path, _body, response) =>
    json(response, 404, {}),
): Promise<HttpServer> {
  const requests: HttpServer["requests"] = [];
  const server = createServer((request, response) => {
    void (async (): Promise<void> => {
      const body = await bodyOf(request);
      const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
      requests.push({ path: url.pathname, headers: request.headers, body });
      if (url.pathname !== "/mcp") return other(url, body, response);
      if (request.method !== "POST") return json(response, 405, {});
      const message = JSON.parse(body) as Message;
      if (answer(message, request, response) !== "usual") return;
      if (message.id === undefined) return void response.writeHead(202).end();
      json(response, 200, { jsonrpc: "2.0", id: message.id, result: resultOf(message) });
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
