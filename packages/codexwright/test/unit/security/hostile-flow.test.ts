import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { WebSocketServer } from "ws";
import { CodexClient } from "codexwright";
import { type CloseReason } from "codexwright/rpc";
import { websocket } from "codexwright/websocket";
import { ProcessTransport } from "../../../src/transports/process.ts";
import { deferred, rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { open } from "../rpc/peer.ts";
import { hostile, settle } from "./hostile.ts";
import { EventQueue } from "../../../src/rpc/queue.ts";

verifies("security.s2", "an endless line closes the connection and ends the server", async () => {
  const child = spawn("/bin/sh", ["-c", "head -c 3000000 /dev/zero; exec sleep 60"], { detached: true });
  const transport = new ProcessTransport(child, { maxLineBytes: 1_000_000 });
  const closed = deferred<CloseReason>();
  const lines: string[] = [];
  transport.open({ line: (line) => lines.push(line), closed: (reason) => closed.resolve(reason) });
  expect((await closed.promise).message).toBe(
    "the app-server was cut off: a line is longer than 1000000 bytes",
  );
  await transport.close();
  expect(lines).toEqual([]);
  expect(child.signalCode).toBe("SIGKILL");
});

verifies(
  "security.s2",
  "rejects a websocket message by the size in its header, before its payload arrives",
  async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await once(server, "listening");
    server.on("connection", (socket) => {
      // The header of a text frame of 256 MiB and one byte, without a payload.
      const head = Buffer.from([0x81, 127, 0, 0, 0, 0, 0x10, 0, 0, 1]);
      (socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(head);
    });
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const error = await rejection(CodexClient.connect({ transport: websocket(url) }));
    expect(error).toMatchObject({ code: "connection_closed" });
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  },
);

verifies("security.s5", "an answer counts once, and only for the request with exactly its id", async () => {
  await using server = await hostile({}, () => undefined);
  const answered: unknown[] = [];
  const call = server.codex.request("model/list", {});
  void call.then((result) => answered.push(result));
  const id = Number(server.sent.at(-1)?.["id"]);
  for (const other of [`"${id}"`, id + 1, id - 1, `${id}.5`, '""', "null", "[0]", -id - 1])
    server.say(`{"id":${other},"result":{"data":["wrong"]}}`);
  await settle();
  expect(answered).toEqual([]);
  server.say({ id, result: { data: [] } }, { id, result: { data: ["late"] } }, { id, error: { code: 1 } });
  await expect(call).resolves.toEqual({ data: [] });
  const second = server.codex.request("model/list", {});
  server.say({ id, result: { data: ["replayed"] } });
  server.say({ id: id + 1, result: { data: ["right"] } });
  await expect(second).resolves.toEqual({ data: ["right"] });
});

verifies("security.s6", "handles a repeated request once, while it is open and afterwards", async () => {
  const asked: unknown[] = [];
  const decision = deferred<"decline">();
  await using server = await hostile({
    onApproval: ({ itemId }) => {
      asked.push(itemId);
      return decision.promise;
    },
  });
  const request = {
    method: "item/commandExecution/requestApproval",
    id: 7,
    params: { threadId: "T", turnId: "U", itemId: "I", command: "ls" },
  };
  server.say(request, request, { ...request, params: { ...request.params, itemId: "other" } });
  await until(() => asked.length > 0);
  decision.resolve("decline");
  await until(() => server.replies().length > 0);
  server.say(request);
  await settle();
  expect(asked).toEqual(["I"]);
  expect(server.replies()).toEqual([{ id: 7, result: { decision: "decline" } }]);
});

verifies(
  "security.s7",
  "joins deltas that are not consumed, so that memory does not grow with their number",
  async () => {
    await using server = await hostile();
    const thread = await server.codex.startThread();
    const turn = thread.turn("go");
    turn.completed.catch(() => {});
    const events = turn[Symbol.asyncIterator]();
    await turn.started;
    const delta = { threadId: "T", turnId: "U", itemId: "I", delta: "ab" };
    const line = JSON.stringify({ method: "item/agentMessage/delta", params: delta });
    for (let each = 0; each < 40_000; each++) server.say(line);
    server.say({
      method: "turn/completed",
      params: { threadId: "T", turn: { id: "U", items: [], status: "failed" } },
    });
    let taken = 0;
    let text = 0;
    for (;;) {
      const next = await events.next().catch(() => ({ done: true, value: undefined }));
      if (next.done || next.value === undefined) break;
      taken++;
      if (next.value.method === "item/agentMessage/delta") text += next.value.params.delta.length;
    }
    expect(text).toBe(80_000);
    expect(taken).toBeLessThan(1_100);
  },
);

verifies("security.s7", "the queue of the wire layer holds one event for each lagging item", () => {
  type Event = { readonly item: string; readonly text: string };
  const queue = new EventQueue<Event>({
    key: ({ item }) => item,
    text: ({ text }) => text,
    withText: (event, text) => ({ ...event, text }),
  });
  for (let each = 0; each < 50_000; each++) queue.push({ item: `${each % 10}`, text: "x" });
  expect(queue.size).toBe(1_024 + 10);
});

verifies(
  "security.s8",
  "rejects a flood of requests beyond a limit and serves new ones afterwards",
  async () => {
    const answer = deferred<object>();
    const { connection, peer } = open({ request: () => answer.promise });
    for (let id = 0; id < 16_500; id++) void peer.send(`{"method":"ask","id":${id}}`);
    const refused = await peer.got(16_500 - 16_384);
    expect(refused[0]).toEqual({
      id: 16_384,
      error: { code: -32001, message: "too many requests wait for an answer" },
    });
    await settle();
    expect(peer.messages).toHaveLength(refused.length);
    answer.resolve({ ok: true });
    await peer.got(16_500);
    await peer.send({ method: "ask", id: 30_000 });
    expect((await peer.got(16_501)).at(-1)).toEqual({ id: 30_000, result: { ok: true } });
    await connection.close();
  },
  { timeoutMs: 60_000 },
);
