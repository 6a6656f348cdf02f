import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpError } from "../mcp-error.ts";

export interface Callback extends AsyncDisposable {
  /** The address that the authorization server sends the user back to. */
  readonly url: string;
  /** Resolves with the parameters of the first visit with this state. */
  visit(state: string): Promise<URLSearchParams>;
}

const PAGE = "<!doctype html><title>Login</title><p>The login is complete. You can close this page.";

/** Waits on loopback for the user to come back from the login page. */
export async function callback(port: number | undefined): Promise<Callback> {
  let expected: string | undefined;
  let arrived: (params: URLSearchParams) => void = () => {};
  const visited = new Promise<URLSearchParams>((resolve) => (arrived = resolve));
  const server = createServer(
    { requestTimeout: 10_000 },
    (request: IncomingMessage, response: ServerResponse) => {
      const { pathname, searchParams } = targetOf(request.url ?? "/");
      const fits = pathname === "/callback" && equal(searchParams.get("state") ?? "", expected);
      response.writeHead(fits ? 200 : 404, {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src 'none'",
        connection: "close",
      });
      response.end(fits ? PAGE : "");
      if (fits) arrived(searchParams);
    },
  );
  server.maxConnections = 16;
  await new Promise<void>((resolve, reject) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      reject(new McpError("login", `no port for the login: ${code}`)),
    );
    server.listen(port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    visit(state) {
      expected = state;
      return visited;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const BASE = "http://localhost/";

/** Any program of the machine, and any web page, can send a target that is not an address, such as `//`. */
function targetOf(target: string): URL {
  return new URL(URL.canParse(target, BASE) ? target : "/", BASE);
}

function equal(given: string, expected: string | undefined): boolean {
  if (expected === undefined) return false;
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
