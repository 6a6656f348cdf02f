import { httpServer, json, type HttpServer } from "./http-server.ts";

/** A server that wants the token of its last login, with its authorization server. */
export async function oauthServer(): Promise<HttpServer & { expire(): void; revoke(): void }> {
  let generation = 1;
  let revoked = false;
  const server: HttpServer = await httpServer(
    (_message, request, response) => {
      if (request.headers.authorization === `Bearer access-${generation}` && !revoked) return "usual";
      const metadata = `${server.origin}/.well-known/oauth-protected-resource/mcp`;
      json(response, 401, {}, { "www-authenticate": `Bearer resource_metadata="${metadata}"` });
      return undefined;
    },
    ({ pathname }, body, response) => {
      const { origin } = server;
      if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
        json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
      } else if (pathname.startsWith("/.well-known/")) {
        json(response, 200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
        });
      } else if (pathname === "/register") {
        json(response, 201, { ...(JSON.parse(body) as object), client_id: "client" });
      } else if (pathname === "/token" && !revoked && !body.includes("stolen")) {
        json(response, 200, {
          access_token: `access-${generation}`,
          refresh_token: `refresh-${generation}`,
          token_type: "Bearer",
          expires_in: 3_600,
        });
      } else json(response, 400, { error: "invalid_grant", error_description: `not good: ${body}` });
    },
  );
  return Object.assign(server, {
    expire: () => void generation++,
    revoke: () => void (revoked = true),
  });
}
