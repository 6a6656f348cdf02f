import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { Endpoint, listen } from "codexwright/server";
import { websocket } from "codexwright/websocket";
import { deferred, rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { read } from "@codexwright/test-support/echo";
import { signed } from "@codexwright/test-support/jwt";
import { ask, UPGRADE } from "@codexwright/test-support/raw-http";

/** Long enough for a busy machine. */
const SLOW = { timeoutMs: 30_000 };
const SECRET = "a secret that is long enough to sign with";
const never = new AbortController().signal;

const soon = (): number => Math.floor(Date.now() / 1000) + 600;

verifies(
  ["server.limits", "server.auth", "server.origin"],
  "rejected and flooding clients do not affect a well-behaved client",
  async () => {
    const release = deferred();
    const endpoint = new Endpoint({
      handlers: {
        "thread/loaded/list": () => ({ data: [], nextCursor: null }),
        // Requests of one thread wait for each other.
        "thread/archive": async () => {
          await release.promise;
          return {};
        },
      },
    });
    const auth = { signedBearer: { secret: SECRET, audience: "codex" } };
    await using listener = await listen(endpoint, "ws://127.0.0.1:0", { auth, maxQueuedBytes: 500_000 });
    const token = signed({ exp: soon(), aud: "codex" }, SECRET);
    await using codex = await CodexClient.connect({ transport: websocket(listener.url, { token }) });
    const isWell = async (): Promise<void> => {
      expect(await codex.request("thread/loaded/list", {})).toMatchObject({ data: [] });
    };

    for (const [claims, words] of [
      [{ exp: soon() - 6_000, aud: "codex" }, "expired websocket jwt"],
      [{ exp: soon(), nbf: soon(), aud: "codex" }, "websocket jwt is not valid yet"],
      [{ exp: soon(), aud: "other" }, "websocket jwt audience mismatch"],
    ] as const) {
      const transport = websocket(listener.url, { token: signed(claims, SECRET) });
      const error = await rejection(CodexClient.connect({ transport }));
      expect(error).toMatchObject({ code: "auth_failed", httpStatus: 401 });
      expect((error as Error).message).toContain(words);
      await isWell();
    }
    const page = [...UPGRADE, "Origin: https://page.example", `Authorization: Bearer ${token}`];
    expect((await ask(listener.url, { headers: page })).status).toBe(403);
    await isWell();

    // Floods the server and reads its answers: requests beyond the queue are rejected, and all are answered.
    const flood = read(await websocket(listener.url, { token })(never));
    const clientInfo = { name: "flood", version: "1" };
    void flood.transport.send(JSON.stringify({ id: 0, method: "initialize", params: { clientInfo } }));
    await flood.next();
    const count = 500;
    for (let id = 1; id <= count; id++) {
      void flood.transport.send(JSON.stringify({ id, method: "thread/archive", params: { threadId: "t" } }));
    }
    const overloaded = (): string[] => flood.lines.filter((line) => line.includes("-32001"));
    await until(() => overloaded().length > 0);
    await isWell();
    release.resolve();
    await until(() => flood.lines.length === count + 1);
    expect(JSON.parse(overloaded()[0] ?? "")).toMatchObject({
      error: { code: -32001, message: "Server overloaded; retry later." },
    });
    await flood.transport.close();
    await isWell();
    await endpoint.shutdown();
  },
  SLOW,
);
