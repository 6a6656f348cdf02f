import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { LineTooLongError, type TransportFactory } from "codexwright/rpc";
import { listen } from "codexwright/server";
import { stdio } from "codexwright/stdio";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { dialGlobal, type GlobalSocket } from "../../../src/websocket/dial-global.ts";
import { echo, read } from "@codexwright/test-support/echo";
import { rejection } from "@codexwright/test-support/events";
import { onBun, onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";

const never = new AbortController().signal;
const MOST = 10_000;

/** Sends lines to a server that sends them back. */
async function limited(factory: TransportFactory): Promise<void> {
  const client = read(await factory(never));
  for (const line of ["a".repeat(MOST), "é".repeat(MOST / 2)]) {
    await client.transport.send(line);
    expect(await client.next()).toBe(line);
  }
  await client.transport.send("a".repeat(MOST + 1));
  const reason = await client.closed;
  expect(reason.message).toContain(`longer than ${MOST} bytes`);
  expect(reason.cause).toBeInstanceOf(LineTooLongError);
  expect(reason.cause).toMatchObject({ code: "line_too_long", maxLineBytes: MOST });
  expect(client.lines).toHaveLength(2);
  await client.transport.close();
}

verifies(
  "stdio.line-limit",
  "a process whose line is at the limit is heard, and one byte more ends it",
  () => limited(stdio({ command: ["cat"], maxLineBytes: MOST })),
  { skip: onWindows },
);

const OWN_SOCKET = "Bun's own socket reports another reason";

verifies(
  "stdio.line-limit",
  "a message of a websocket at the limit is heard, and one byte more ends the connection",
  async () => {
    await using listener = await listen(echo(), "ws://127.0.0.1:0");
    await limited(websocket(listener.url, { maxLineBytes: MOST }));
  },
  { skip: onBun(OWN_SOCKET) },
);

verifies(
  "stdio.line-limit",
  "a message of a unix socket at the limit is heard, and one byte more ends the connection",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "codexwright-limit-"));
    try {
      const file = path.join(folder, "s");
      await using _listener = await listen(echo(), `unix://${file}`);
      await limited(unixSocket(file, { maxLineBytes: MOST }));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  { skip: onWindows || onBun(OWN_SOCKET) },
);

verifies(
  "stdio.line-limit",
  "a message of a built-in websocket at the limit is heard, and one byte more is not",
  async () => {
    for (const [text, passes] of [
      ["é".repeat(MOST / 2), true],
      [`${"é".repeat(MOST / 2)}a`, false],
      ["a".repeat(MOST + 1), false],
    ] as const) {
      const listeners: Record<string, (event: object) => void> = {};
      let isClosed = false;
      const socket = {
        readyState: 1,
        binaryType: "",
        send: () => {},
        close: () => (isClosed = true),
        addEventListener: (type: string, listener: (event: object) => void) => (listeners[type] ??= listener),
      };
      const target = { peer: "wss://example.com", heartbeatMs: 0, maxLineBytes: MOST };
      const dialing = dialGlobal(() => socket as unknown as GlobalSocket, target, never);
      listeners["open"]?.({});
      const client = read(await dialing);
      await Promise.resolve();
      listeners["message"]?.({ data: text });
      expect(isClosed).toBe(!passes);
      if (passes) expect(await client.next()).toBe(text);
      else expect((await client.closed).cause).toMatchObject({ code: "line_too_long" });
    }
  },
);

verifies(
  "stdio.line-limit",
  "an endless line that is dribbled rejects connect() with the limit, and leaves nothing",
  async () => {
    const command = "while :; do printf aaaaaaaaaa; done";
    const error = await rejection(CodexClient.connect({ command, maxLineBytes: 1_000 }));
    expect(error).toMatchObject({
      code: "connection_closed",
      message: "the app-server was cut off: a line is longer than 1000 bytes",
      cause: { code: "line_too_long", maxLineBytes: 1_000 },
    });
  },
  { skip: onWindows },
);
