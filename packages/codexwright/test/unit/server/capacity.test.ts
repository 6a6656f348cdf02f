import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { listen } from "codexwright/server";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { echo, read } from "@codexwright/test-support/echo";
import { ask, UPGRADE } from "@codexwright/test-support/raw-http";

/** Long enough for a busy machine. */
const SLOW = { timeoutMs: 30_000 };
const never = new AbortController().signal;

verifies(
  "server.capacity",
  "answers 503 beyond the limit, after the token check, and reuses a freed place",
  async () => {
    const auth = { capabilityToken: { token: "t" } };
    await using listener = await listen(echo(), "ws://127.0.0.1:0", { auth, maxConnections: 2 });
    const connect = async () => read(await websocket(listener.url, { token: "t" })(never));
    const first = await connect();
    const second = await connect();
    expect(await rejection(connect())).toMatchObject({ code: "connection_closed" });
    const knock = (...headers: string[]) => ask(listener.url, { headers: [...UPGRADE, ...headers] });
    expect(await knock("Authorization: Bearer t")).toMatchObject({
      status: 503,
      body: "too many connections",
    });
    expect((await knock()).status).toBe(401);
    expect((await ask(listener.url, { path: "/readyz" })).status).toBe(200);
    await second.transport.send("still here");
    expect(await second.next()).toBe("still here");
    await first.transport.close();
    let again: Awaited<ReturnType<typeof connect>> | undefined;
    while (!again) again = await connect().catch(() => undefined);
    await again.transport.send("in");
    expect(await again.next()).toBe("in");
  },
  SLOW,
);

verifies(
  "server.socket-file",
  "does not delete a socket file that another server has replaced",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "codexwright-socket-"));
    try {
      const file = path.join(folder, "s.sock");
      const first = await listen(echo(), `unix://${file}`);
      rmSync(file);
      await using second = await listen(echo(), `unix://${file}`);
      const early = read(await unixSocket(file)(never));
      await first.close();
      expect(existsSync(file)).toBe(true);
      const late = read(await unixSocket(file)(never));
      for (const client of [early, late]) {
        await client.transport.send("hello");
        expect(await client.next()).toBe("hello");
      }
      await second.close();
      await until(() => readdirSync(folder).length === 0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  SLOW,
);
