import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { exec, realAppServer, reply, scriptedModel, type RealAppServerAuth } from "@codexwright/testing";
import { websocket } from "codexwright/websocket";
import { rejection } from "@codexwright/test-support/events";
import { signed } from "@codexwright/test-support/jwt";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";

const TOKEN = "a-token-that-nobody-may-see";
const SECRET = "a secret that is long enough to sign with";

const SERVERS: readonly { name: string; listen: "ws" | "unix"; auth?: RealAppServerAuth }[] = [
  { name: "a websocket", listen: "ws" },
  { name: "a websocket with a capability token", listen: "ws", auth: { token: TOKEN } },
  { name: "a unix socket", listen: "unix" },
];

for (const { name, ...options } of SERVERS) {
  verifies(
    options.listen === "ws" ? "sockets.websocket" : "sockets.unix",
    `two clients run turns over ${name}, and one can leave`,
    async () => {
      await using model = await scriptedModel([
        exec("echo \u2028one"),
        reply("first\u2028line"),
        reply("second"),
      ]);
      await using server = await realAppServer({ model, ...options });
      await using stays = await CodexClient.connect(server.clientOptions);
      const leaves = await CodexClient.connect(server.clientOptions);
      expect((await (await leaves.startThread()).run("go")).agentMessage).toBe("first\u2028line");
      await leaves.disconnect();
      expect((await (await stays.startThread()).run("go")).agentMessage).toBe("second");
    },
    PINNED,
  );
}

verifies(
  ["sockets.auth", "sockets.token"],
  "a rejection by the real server becomes auth_failed, with its message and without the token",
  async () => {
    await using model = await scriptedModel([]);
    await using server = await realAppServer({ model, listen: "ws", auth: { token: TOKEN } });
    const wrong = `${TOKEN}-or-not`;
    for (const [token, words] of [
      [undefined, "missing websocket bearer token"],
      [wrong, "invalid websocket bearer token"],
    ] as const) {
      const error = await rejection(CodexClient.connect({ transport: websocket(server.url, { token }) }));
      expect(error).toMatchObject({ code: "auth_failed", httpStatus: 401, delivery: "rejected" });
      expect((error as Error).message).toContain(words);
      expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain(TOKEN);
    }
  },
  PINNED,
);

verifies(
  ["sockets.auth"],
  "a signed token is requested at every connect, and an expired one is reported",
  async () => {
    await using model = await scriptedModel([reply("in")]);
    const auth = { secret: SECRET, issuer: "us", audience: "them", maxClockSkewSeconds: 0 };
    await using server = await realAppServer({ model, listen: "ws", auth });
    const now = Math.floor(Date.now() / 1000);
    const good = signed({ exp: now + 600, iss: "us", aud: ["x", "them"] }, SECRET);
    const late = signed({ exp: now - 600, iss: "us", aud: "them" }, SECRET);
    await using codex = await CodexClient.connect({
      transport: websocket(server.url, { token: async () => good }),
    });
    expect((await (await codex.startThread()).run("go")).agentMessage).toBe("in");
    const error = await rejection(CodexClient.connect({ transport: websocket(server.url, { token: late }) }));
    expect(error).toMatchObject({ code: "auth_failed" });
    expect((error as Error).message).toContain("expired websocket jwt");
  },
  PINNED,
);

verifies(
  "sockets.websocket",
  "the real server accepts a message that is larger than the maximum frame size",
  async () => {
    await using model = await scriptedModel([]);
    await using server = await realAppServer({ model, listen: "ws" });
    await using codex = await CodexClient.connect(server.clientOptions);
    const large = { limit: 1, ignored: "\u20ac".repeat(7_000_000) };
    expect(await codex.request("thread/loaded/list", large)).toMatchObject({ data: [] });
  },
  PINNED,
);
