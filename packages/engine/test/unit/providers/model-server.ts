import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelEvent, ModelProvider, ModelRequest } from "@codexwright/engine";

/** A request that arrived at a {@link modelServer}. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface ModelServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: readonly Arrived[];
}

/** A server in place of a model's API. `answer` gets each request with its position. */
export async function modelServer(
  answer: (response: ServerResponse, position: number, request: IncomingMessage) => void,
): Promise<ModelServer> {
  const requests: Arrived[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => (body += text));
    request.on("end", () => {
      requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      answer(response, requests.length - 1, request);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Begins a stream of events. */
export function begin(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

/** An event as text. */
export function event(type: string, more: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
}

export const COMPLETED: string = event("response.completed", {
  response: { id: "r", usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 } },
});

/** A whole message as events. */
export function said(id: string, text: string): string {
  const item = { type: "message", id, role: "assistant", content: [{ type: "output_text", text }] };
  return (
    event("response.output_item.added", { item: { ...item, content: [] } }) +
    event("response.output_text.delta", { item_id: id, delta: text }) +
    event("response.output_item.done", { item })
  );
}

/** Ends a response with these events. */
export function stream(response: ServerResponse, ...events: readonly string[]): void {
  begin(response);
  response.end(events.join(""));
}

export const REQUEST: ModelRequest = {
  model: "some-model",
  instructions: "",
  input: [],
  tools: [],
  ids: { thread: "thread-1" },
};

/** Reads the whole stream of one request. */
export async function read(
  provider: ModelProvider,
  request: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const each of provider.stream({ ...REQUEST, ...request }, signal)) events.push(each);
  return events;
}
