import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * An MCP server that requires an OAuth login, with its authorization server. Both implement only what a login
 * needs.
 */
export async function oauthMcpServer(): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const answer = (status: number, body: object, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(body));
    };
    const { pathname } = new URL(request.url ?? "/", origin);
    if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
      answer(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    } else if (pathname.startsWith("/.well-known/")) {
      answer(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
      });
    } else if (pathname === "/register") {
      void bodyOf(request).then((body) => answer(201, { ...JSON.parse(body), client_id: "client" }));
    } else if (pathname === "/token") {
      answer(200, { access_token: "mcp-access-token", token_type: "Bearer", expires_in: 3_600 });
    } else {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      answer(401, {}, { "www-authenticate": `Bearer resource_metadata="${metadata}"` });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    [Symbol.asyncDispose]: async () => {
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
