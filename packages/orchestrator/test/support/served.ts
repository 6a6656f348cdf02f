import { serveHttp, type HttpLimits, type HttpServer } from "@codexwright/orchestrator/internal";
import { fakeFleet, type FakeFleet } from "./fake-fleet.ts";

export const TOKEN = "the-token-of-this-test";

export interface Served extends AsyncDisposable {
  readonly fleet: FakeFleet;
  readonly server: HttpServer;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** With the token. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

/** Serves a fleet in memory on a free port. */
export async function served(limits: HttpLimits = {}, host = "127.0.0.1"): Promise<Served> {
  const fleet = fakeFleet();
  const server = await serveHttp({ fleet, host, port: 0, token: TOKEN, limits });
  const url = server.url.replace("0.0.0.0", "127.0.0.1");
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    return {
      status: response.status,
      body: JSON.parse(text === "" ? "{}" : text) as Record<string, unknown>,
      headers: response.headers,
    };
  };
  return {
    fleet,
    server,
    get: async (path, headers = {}) => await ask(path, { headers }),
    post: async (path, body = {}, headers = {}) =>
      await ask(path, {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", ...headers },
      }),
    [Symbol.asyncDispose]: async () => await server.close(),
  };
}
