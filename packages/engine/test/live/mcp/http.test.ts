import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { once } from "node:events";
import { request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, vi } from "vitest";
import type { McpHttpSettings, McpServerSettings } from "@codexwright/engine";
import { mcpServers } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";
import { httpServer, json } from "./http-server.ts";
import { oauthServer } from "./oauth-server.ts";
import { opened, settings, textOf } from "./servers.ts";

const slow = { timeoutMs: 120_000 };

function remote(
  url: string,
  more: Partial<McpHttpSettings> = {},
  rest: Partial<McpServerSettings> = {},
): McpServerSettings {
  const transport: McpHttpSettings = { type: "http", url, headers: {}, envHeaders: {}, ...more };
  return { ...settings([]), startupTimeoutMs: 10_000, toolTimeoutMs: 5_000, ...rest, transport };
}

describe("servers over HTTP", () => {
  verifies(
    "engine.mcp.http",
    "a call reaches a server, with the headers and the token of its settings",
    async () => {
      await using server = await httpServer();
      const env = { TOKEN: "token-1234567890", TEAM: "blue" };
      await using servers = await opened(
        {
          far: remote(server.url, {
            bearerTokenEnvVar: "TOKEN",
            headers: { "X-Static": "yes" },
            envHeaders: { "X-Team": "TEAM", "X-None": "NOT_SET" },
          }),
          unset: remote(server.url, { bearerTokenEnvVar: "NOT_SET" }),
          wrong: remote("ftp://127.0.0.1/"),
        },
        env,
      );
      expect(textOf(await servers.call("far", "echo", { a: 1 }))).toBe('echo: {"a":1}');
      for (const { headers } of server.requests.filter((each) => each.path === "/mcp")) {
        expect(headers).toMatchObject({
          authorization: "Bearer token-1234567890",
          "x-static": "yes",
          "x-team": "blue",
        });
        expect(headers).not.toHaveProperty("x-none");
      }
      const states = servers.mcp.states();
      expect(states.map(({ name, status, auth }) => [name, status, auth])).toEqual([
        ["far", "connected", "bearerToken"],
        ["unset", "failed", "unsupported"],
        ["wrong", "failed", "unsupported"],
      ]);
      expect(states[1]?.error).toContain("NOT_SET");
    },
    slow,
  );

  verifies(
    "security.s123",
    "a server over HTTP that floods, hangs or nests deeply fails only its own calls",
    async () => {
      const before = process.memoryUsage().rss;
      const modes = fc.constantFrom(
        "json",
        "events",
        "deep-json",
        "deep-events",
        "split-events",
        "cut",
        "hang",
        "html",
        "batch",
      );
      await fc.assert(
        fc.asyncProperty(modes, async (mode) => {
          await using bad = await httpServer(({ method }, _request, response) => {
            if (method !== "tools/call") return "usual";
            hostile(mode, response);
            return undefined;
          });
          await using good = await httpServer();
          await using servers = await opened({
            bad: remote(bad.url, {}, { toolTimeoutMs: 3_000 }),
            good: remote(good.url),
          });
          const [first, second] = await Promise.all([
            servers.call("bad", "echo"),
            servers.call("good", "echo"),
          ]);
          expect(textOf(second)).toBe("echo: {}");
          expect(textOf(first)).toMatch(/^error: bad\.echo (failed|timed out)/);
        }),
        { numRuns: 9, examples: [["json"], ["deep-json"], ["deep-events"], ["split-events"], ["events"]] },
      );
      expect(process.memoryUsage().rss - before).toBeLessThan(1024 * 1024 * 1024);
    },
    { timeoutMs: 300_000 },
  );

  verifies(
    "security.s123",
    "a server that asks without end and takes no answers is cut off",
    async () => {
      let answers = 0;
      await using bad = await httpServer(({ method }, _request, response) => {
        if (method === "tools/call") return flooded(response);
        if (method !== undefined) return "usual";
        answers++;
        return undefined;
      });
      await using servers = await opened({ bad: remote(bad.url) });
      const result = textOf(await servers.call("bad", "echo"));
      expect(result).toBe("error: bad.echo failed: the server does not answer 256 requests");
      expect(answers).toBeLessThanOrEqual(256);
    },
    slow,
  );

  verifies(
    "security.s129",
    "headers of the user reach no other origin, and are in no error",
    async () => {
      const secret = "very-secret-token-42";
      await using elsewhere = await httpServer();
      await using server = await httpServer(({ method }, request, response) => {
        if (method !== "tools/call") return "usual";
        // It quotes what it got, in several encodings.
        const quoted = String(request.headers.authorization);
        json(response, 400, {
          error: `${quoted} ${Buffer.from(secret).toString("base64")} ${encodeURIComponent(quoted)}`,
        });
        return undefined;
      });
      await using redirecting = await httpServer((_message, _request, response) => {
        response.writeHead(307, { location: elsewhere.url }).end();
      });
      const own = { bearerTokenEnvVar: "TOKEN", headers: { "x-key": "another-secret-value" } };
      await using servers = await opened(
        { far: remote(server.url, own), away: remote(redirecting.url, own) },
        { TOKEN: secret },
      );
      const text = textOf(await servers.call("far", "echo"));
      expect(text).toMatch(/^error: far\.echo failed/);
      for (const part of [secret, Buffer.from(secret).toString("base64"), "another-secret-value"]) {
        expect(text).not.toContain(part);
        expect(JSON.stringify(servers.told)).not.toContain(part);
      }
      expect(elsewhere.requests).toEqual([]);
    },
    slow,
  );

  verifies(
    ["engine.mcp.login", "security.s129"],
    "a login asks the user, keeps the tokens in a private file, and renews them",
    async () => {
      await using server = await oauthServer();
      const home = await mkdtemp(path.join(tmpdir(), "codexwright-mcp-login-"));
      try {
        const far = remote(server.url);
        const mcp = mcpServers({ home, env: {} });
        const login = await mcp.login?.("far", far.transport as McpHttpSettings, {
          scopes: ["read", "write"],
        });
        const page = new URL(login?.authorizationUrl ?? "");
        expect(page.searchParams.get("scope")).toBe("read write");
        expect(page.searchParams.get("code_challenge_method")).toBe("S256");
        const back = new URL(page.searchParams.get("redirect_uri") ?? "");
        expect(back.hostname).toBe("127.0.0.1");
        // A page that does not know the state learns nothing, and ends nothing.
        for (const state of ["", "wrong", `${page.searchParams.get("state")}x`]) {
          const visited = await fetch(`${back.href}?code=stolen&state=${state}`);
          expect(visited.status).toBe(404);
        }
        back.search = `?code=code-1&state=${page.searchParams.get("state")}`;
        expect((await fetch(back)).status).toBe(200);
        await login?.completed;
        const file = path.join(home, ".credentials.json");
        expect((await stat(file)).mode & 0o777).toBe(0o600);
        expect(await readFile(file, "utf8")).toContain("access-1");
        await expect(fetch(back)).rejects.toThrow("fetch failed");

        for (const expected of ["access-1", "access-2"]) {
          const connections = mcp.open({ id: "t", cwd: home, servers: { far } });
          await connections.start(() => {});
          expect(connections.states()).toMatchObject([{ status: "connected", auth: "oAuth" }]);
          expect(server.requests.findLast((each) => each.path === "/mcp")?.headers.authorization).toBe(
            `Bearer ${expected}`,
          );
          await connections.close();
          // From now on, the server wants the next token.
          server.expire();
        }
        // A login that cannot be renewed asks for a new one.
        server.revoke();
        const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
        const connections = mcp.open({ id: "t", cwd: home, servers: { far } });
        const told: unknown[] = [];
        await connections.start((update) => told.push(update));
        expect(connections.states()).toMatchObject([{ status: "authenticationRequired" }]);
        expect(told.at(-1)).toMatchObject({ status: "failed", reauthenticate: true });
        expect(JSON.stringify([told, warned.mock.calls])).not.toMatch(/access-|refresh-\d/);
        warned.mockRestore();
        await connections.close();
        await mcp.close?.();
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
    slow,
  );

  verifies(
    "security.s129",
    "whatever another program sends to the port of a login ends neither the login nor the engine",
    async () => {
      await using server = await oauthServer();
      const home = await mkdtemp(path.join(tmpdir(), "codexwright-mcp-login-"));
      try {
        const mcp = mcpServers({ home, env: {} });
        const { transport } = remote(server.url);
        const login = await mcp.login?.("far", transport as McpHttpSettings, {});
        const page = new URL(login?.authorizationUrl ?? "").searchParams;
        const back = new URL(page.get("redirect_uri") ?? "");
        const targets = ["//", "///", "http://[", "http://a:b:c/", "*", "/callback?state=%", "/%zz"];
        for (const target of targets) {
          expect([target, await statusOf(Number(back.port), target)]).toEqual([target, 404]);
        }
        back.search = `?code=code-1&state=${page.get("state")}`;
        expect((await fetch(back)).status).toBe(200);
        await login?.completed;
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
    slow,
  );

  verifies(
    "engine.mcp.login",
    "a login is for the resource that the configuration names, or the one that the server names",
    async () => {
      await using server = await oauthServer();
      const home = await mkdtemp(path.join(tmpdir(), "codexwright-mcp-login-"));
      try {
        const mcp = mcpServers({ home, env: {} });
        for (const oauthResource of [undefined, "https://resource.example/api"]) {
          const { transport } = remote(server.url, { oauthResource });
          const login = await mcp.login?.("far", transport as McpHttpSettings, {});
          login?.completed.catch(() => {});
          const page = new URL(login?.authorizationUrl ?? "").searchParams;
          expect(page.get("resource")).toBe(oauthResource ?? server.url);
        }
        await mcp.close?.();
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
    slow,
  );

  verifies(
    "engine.mcp.login",
    "logins that end at the same time, in several engines, are all kept",
    async () => {
      await using server = await oauthServer();
      const home = await mkdtemp(path.join(tmpdir(), "codexwright-mcp-login-"));
      try {
        const names = Array.from({ length: 8 }, (_, n) => `far${n}`);
        const logins = await Promise.all(
          names.map(async (name) => {
            const { transport } = remote(server.url);
            return await mcpServers({ home, env: {} }).login?.(name, transport as McpHttpSettings, {});
          }),
        );
        const ends = logins.map(async (login) => {
          const page = new URL(login?.authorizationUrl ?? "").searchParams;
          await fetch(`${page.get("redirect_uri")}?code=code-1&state=${page.get("state")}`);
          await login?.completed;
        });
        await Promise.all(ends);
        const kept = JSON.parse(await readFile(path.join(home, ".credentials.json"), "utf8")) as object;
        expect(Object.keys(kept).map((key) => key.split("|")[0])).toEqual(expect.arrayContaining(names));
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
    slow,
  );

  verifies(
    "engine.mcp.login",
    "a login that the user does not finish ends with its time, and with the engine",
    async () => {
      await using server = await oauthServer();
      const home = await mkdtemp(path.join(tmpdir(), "codexwright-mcp-login-"));
      try {
        const mcp = mcpServers({ home, env: {} });
        const { transport } = remote(server.url);
        const late = await mcp.login?.("far", transport as McpHttpSettings, { timeoutMs: 10 });
        await expect(late?.completed).rejects.toMatchObject({ code: "login" });
        const refused = await mcp.login?.("far", transport as McpHttpSettings, {});
        const page = new URL(refused?.authorizationUrl ?? "").searchParams;
        const ended = refused?.completed.catch((error: unknown) => error);
        await fetch(
          `${page.get("redirect_uri")}?error=access_denied&error_description=no+thanks&state=${page.get("state")}`,
        );
        expect(await ended).toMatchObject({ code: "login", message: "no thanks" });
        const closed = await mcp.login?.("far", transport as McpHttpSettings, {});
        const stopped = closed?.completed.catch((error: unknown) => error);
        await mcp.close?.();
        expect(await stopped).toMatchObject({ code: "login" });
        await using servers = await opened({ far: remote(server.url) });
        expect(servers.mcp.states()).toMatchObject([
          { status: "authenticationRequired", auth: "notLoggedIn" },
        ]);
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
    slow,
  );
});

/** Asks for signs of life, in one stream, until the connection closes. */
function flooded(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  let id = 0;
  const more = (): void => {
    while (!response.destroyed) {
      if (!response.write(`data: {"jsonrpc":"2.0","id":${++id},"method":"ping"}\n\n`)) return;
    }
  };
  response.on("drain", more);
  more();
}

/** The status of the answer to a request whose target is exactly this text. */
async function statusOf(port: number, target: string): Promise<number | undefined> {
  const asked = send({ port, host: "127.0.0.1", path: target, agent: false });
  const [response] = (await once(asked.end(), "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

function hostile(mode: string, response: ServerResponse): void {
  const events = mode.endsWith("events");
  response.writeHead(200, {
    "content-type": events ? "text/event-stream" : mode === "html" ? "text/html" : "application/json",
  });
  const flood = (piece: string): void => {
    const more = (): void => {
      while (!response.destroyed) if (!response.write(piece)) return;
    };
    response.on("drain", more);
    more();
  };
  if (mode === "json") flood("x".repeat(1024 * 1024));
  else if (mode === "events") flood(`data: ${"x".repeat(1024 * 1024)}\n\n`);
  else if (mode === "deep-json") response.end(`{"jsonrpc":"2.0","id":2,"result":${"[".repeat(20_000_000)}`);
  else if (mode === "deep-events") response.end(`data: ${"[".repeat(20_000_000)}\n\n`);
  else if (mode === "split-events")
    response.end(`id: "\r\n${`data: ${"[".repeat(100)}\r\n`.repeat(100_000)}\r\n`);
  else if (mode === "cut") response.write('{"jsonrpc":"2.0",', () => response.destroy());
  else if (mode === "html") response.end("<p>hello");
  else if (mode === "batch") response.end("[]");
}
