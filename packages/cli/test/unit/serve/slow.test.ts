import { expect } from "vitest";
import { websocket } from "codexwright/websocket";
import { knock, UPGRADE } from "@codexwright/test-support/raw-http";
import { LineClient } from "@codexwright/test-support/line-client";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { Serving, token } from "./serving.ts";

/** A client's text frame, with a mask of zeros. */
function frame(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([
    Buffer.from([0x81, 0x80 | 126, body.length >> 8, body.length & 255, 0, 0, 0, 0]),
    body,
  ]);
}

const HELLO = { id: 0, method: "initialize", params: { clientInfo: { name: "slow", version: "1" } } };

verifies(
  "cli.serve.fair",
  "disconnects a client that does not read before it uses too much memory; other clients receive everything",
  async () => {
    const serving = new Serving(false);
    const { url } = await serving.next("serving");
    const counts = (): readonly number[] =>
      serving.events.flatMap((event) => (event.type === "clients" ? [event.count] : []));
    const good = new LineClient(await websocket(url, { token })(new AbortController().signal));
    await good.hello();
    const { socket } = await knock(url, { headers: [...UPGRADE, `Authorization: Bearer ${token}`] });
    socket.on("error", () => {}).pause();
    socket.write(frame(JSON.stringify(HELLO)));
    await until(() => counts().at(-1) === 2);

    const message = "x".repeat(1024 * 1024);
    let sent = 0;
    // The limit is 64 MiB, plus what the system buffers.
    while (counts().at(-1) === 2 && sent < 200) {
      sent++;
      serving.upstream.broadcast("warning", { threadId: null, message: `${sent} ${message}` });
      await good.told("warning", sent);
      // Only the number of lines matters.
      good.lines.length = 0;
      for (const each of good.messages) if (each.params) Object.assign(each, { params: {} });
    }
    await until(() => counts().at(-1) === 1);
    expect(sent).toBeLessThan(200);
    expect(good.methods.filter((method) => method === "warning")).toHaveLength(sent);
    expect((await good.ask("model/list", {})).result).toEqual({ data: [], nextCursor: null });
    socket.destroy();
    serving.stop.abort();
    await serving.ended;
  },
  { timeoutMs: 30_000 },
);
