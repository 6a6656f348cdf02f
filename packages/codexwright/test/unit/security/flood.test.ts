import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect, type NetConnectOpts } from "node:net";
import { expect } from "vitest";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { until } from "@codexwright/test-support/events";
import { onBun } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { read, type Reader } from "@codexwright/test-support/echo";
import { flood } from "@codexwright/test-support/flood";
import { smallServer } from "@codexwright/test-support/small-server";

/** Long enough for a busy machine. */
const SLOW = { timeoutMs: 60_000 };
const never = new AbortController().signal;
const TOKEN = "the-one-token-of-this-test";
const DESCRIPTORS = 340;

const tcp = (url: string): NetConnectOpts => ({ host: "127.0.0.1", port: Number(new URL(url).port) });

async function isServed(client: Reader, text: string): Promise<void> {
  await client.transport.send(text);
  expect(await client.next()).toBe(text);
}

const PLACES = [
  {
    name: "a port",
    url: () => "ws://127.0.0.1:0",
    options: { auth: { capabilityToken: { token: TOKEN } } },
    target: tcp,
    dial: (url: string) => websocket(url, { token: TOKEN }),
  },
  {
    name: "a socket file",
    url: (folder: string) => `unix://${path.join(folder, "s")}`,
    options: {},
    target: (url: string): NetConnectOpts => ({ path: url.slice("unix://".length) }),
    dial: (url: string) => unixSocket(url.slice("unix://".length)),
  },
];

for (const { name, url, options, target, dial } of PLACES) {
  verifies(
    "security.s54",
    `on ${name}, clients can connect although there are more sockets without a token than the process has descriptors`,
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), "codexwright-flood-"));
      try {
        await using server = await smallServer("ours", {
          descriptors: DESCRIPTORS,
          url: url(folder),
          options,
        });
        const connected = async (): Promise<Reader> => read(await dial(server.url)(never));
        const early = await connected();
        using strangers = flood(target(server.url));
        await strangers.more(2 * DESCRIPTORS);
        const more = strangers.more(200);
        const late = await connected();
        await isServed(late, "late");
        await isServed(early, "early");
        await more;
        // None of these sockets stays open, whatever it sends. This check takes a while, so it runs only once.
        if (url("").startsWith("ws:")) await until(() => strangers.ended === strangers.looking);
        await isServed(await connected(), "last");
        await isServed(late, "late again");
        await isServed(early, "early again");
        expect(server.isRunning()).toBe(true);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    SLOW,
  );
}

verifies(
  "security.s54",
  "on a server without this limit, the same sockets lock out all clients",
  async () => {
    await using server = await smallServer("bare", { descriptors: DESCRIPTORS });
    using strangers = flood(tcp(server.url));
    await strangers.more(2 * DESCRIPTORS);
    const late = connect(tcp(server.url));
    let said = "";
    late.on("data", (chunk) => (said += chunk.toString()));
    late.on("error", () => {});
    late.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await new Promise((resolve) => late.once("close", resolve));
    expect(said).toBe("");
  },
  { ...SLOW, skip: onBun("Bun leaves them in the backlog and closes silent ones after a while") },
);
