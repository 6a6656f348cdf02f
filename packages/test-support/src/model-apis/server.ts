import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The answer of a scripted model to one request. */
export type Answer = Said | Refusal | RawAnswer;

/** An answer in the form of the API. */
export interface Said {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly args: object | string; readonly id?: string }[];
  /** `null` leaves it out. */
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number } | null;
  /** Why the model stops before it is done. */
  readonly stop?: "length" | "filter";
}

export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Writes the answer itself. */
export type RawAnswer = (response: ServerResponse, request: IncomingMessage) => void;

/** A request as it arrived. */
export interface Received {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Json;
}

export type Json = Readonly<Record<string, unknown>>;

/** A server that speaks the API of a model as its maker documents it. */
export interface ModelApi extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: readonly Received[];
}

/** How an API is spoken. */
export interface Dialect {
  readonly path: string;
  /** Returns what the API would refuse of a request. */
  readonly problem: (received: Received) => string | undefined;
  readonly refusal: (status: number, message: string) => string;
  readonly events: (said: Said, position: number, received: Received) => readonly string[];
}

/**
 * Serves a scripted model. Each request gets the next answer of the script, and the last one again. A request that the
 * API would refuse is refused.
 */
export async function serveModel(
  dialect: Dialect,
  script: readonly Answer[] | ((received: Received, position: number) => Answer),
): Promise<ModelApi> {
  const requests: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Json;
      const received: Received = { url: request.url ?? "", headers: request.headers, body };
      const position = requests.push(received) - 1;
      const problem = dialect.problem(received);
      const exchange = { request, response, received, position };
      if (problem !== undefined) {
        send({ status: 400, body: dialect.refusal(400, problem) }, dialect, exchange);
        return;
      }
      const answer =
        typeof script === "function"
          ? script(received, position)
          : (script[Math.min(position, script.length - 1)] ?? {});
      send(answer, dialect, exchange);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${dialect.path}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly received: Received;
  readonly position: number;
}

function send(answer: Answer, dialect: Dialect, { request, response, received, position }: Exchange): void {
  if (typeof answer === "function") return answer(response, request);
  if ("status" in answer) {
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    return void response.end(answer.body);
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(dialect.events(answer, position, received).join(""));
}

/** A server-sent event. */
export function sse(data: object, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** A text in pieces, as models write it. */
export function pieces(text: string, size: number = 5): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, "gu")) ?? [];
}

export function listIn(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

export function argumentsText(args: object | string): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}
