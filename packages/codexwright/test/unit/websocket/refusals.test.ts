import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { isLoopback } from "../../../src/websocket/loopback.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";

const TOKEN = "a-token-that-nobody-may-see";

async function refusing(answer: RequestListener) {
  const server = createServer(answer);
  server.on("upgrade", (request, socket) => {
    const lines: string[] = [];
    const response = {
      statusCode: 200,
      end: (body: string) => {
        lines.push(
          `HTTP/1.1 ${response.statusCode} X`,
          `Content-Length: ${Buffer.byteLength(body)}`,
          "",
          body,
        );
        socket.end(lines.join("\r\n"));
      },
    };
    answer(request, response as unknown as Parameters<RequestListener>[1]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const connect = (url: string, token?: string): Promise<unknown> =>
  rejection(CodexClient.connect({ transport: websocket(url, { token }) }));

verifies(
  "sockets.auth",
  "on 401 and 403, rejects with auth_failed and the server's message, shortened and without the token",
  async () => {
    for (const status of [401, 403]) {
      await using server = await refusing((request, response) => {
        response.statusCode = status;
        response.end(`no: ${request.headers.authorization ?? "nothing"}\r\n\u0007${"x".repeat(5_000)}`);
      });
      const error = (await connect(server.url, TOKEN)) as Error;
      expect(error).toMatchObject({ code: "auth_failed", httpStatus: status, cancelled: false });
      expect(error.message).toContain(`refused the connection with HTTP ${status}: no: Bearer [redacted]`);
      expect(error.message.length).toBeLessThan(300);
      expect(`${error.stack}`).not.toContain(TOKEN);
    }
  },
);

verifies(
  "sockets.auth",
  "rejects with connection_closed if the answer is not a websocket upgrade",
  async () => {
    await using plain = await refusing((_request, response) => response.end("hello"));
    expect(await connect(plain.url, TOKEN)).toMatchObject({
      code: "connection_closed",
      delivery: "notSent",
      message: expect.stringContaining("it answered with HTTP 200 instead of a websocket: hello") as string,
    });
    const nobody = await connect("ws://127.0.0.1:1");
    expect(nobody).toMatchObject({ code: "connection_closed", cause: { code: "ECONNREFUSED" } });
    expect((nobody as Error).message).toContain("could not connect to ws://127.0.0.1:1: ");
    const missing = CodexClient.connect({ transport: unixSocket("/nowhere/at.sock") });
    expect(await rejection(missing)).toMatchObject({ code: "connection_closed", cause: { code: "ENOENT" } });
  },
);

verifies("sockets.token", "does not send a token over ws:// to another machine", () => {
  for (const url of [
    "ws://example.com",
    "ws://10.0.0.1:80",
    "ws://localhost.example.com",
    "ws://name.localhost",
    "ws://[::2]:1",
  ]) {
    expect(() => websocket(url, { token: TOKEN })).toThrow(/wss:\/\//);
    expect(() => websocket(url, { token: () => TOKEN })).toThrow(/wss:\/\//);
    expect(websocket(url)).toBeTypeOf("function");
  }
  for (const url of [
    "wss://example.com",
    "ws://127.1:80",
    "ws://localhost:1",
    "ws://[::1]:1",
    "ws://[::ffff:127.0.0.1]:1",
  ]) {
    expect(websocket(url, { token: TOKEN })).toBeTypeOf("function");
  }
  expect(
    ["0.0.0.0", "127.0.0.1.example.com", "128.0.0.1", "::", ""].filter((host) => isLoopback(host)),
  ).toEqual([]);
});

verifies("sockets.token", "rejects values that cannot be sent, and does not quote them", async () => {
  const wrong = (make: () => unknown): string => {
    try {
      make();
    } catch (error) {
      expect(error).toMatchObject({ code: "invalid_argument" });
      return (error as Error).message;
    }
    throw new Error("it was accepted");
  };
  for (const token of ["", " x", "secret\r\nX: y", "sécret"]) {
    expect(wrong(() => websocket("ws://127.0.0.1:1", { token }))).not.toContain("cret");
    const asked = CodexClient.connect({ transport: websocket("ws://127.0.0.1:1", { token: () => token }) });
    expect(await rejection(asked)).toMatchObject({ code: "invalid_argument" });
  }
  for (const url of ["http://127.0.0.1", "nonsense", "", "ws://user:secret@127.0.0.1"]) {
    expect(wrong(() => websocket(url))).not.toContain("secret");
  }
  expect(wrong(() => unixSocket(""))).toContain("path");
  expect(wrong(() => unixSocket(undefined as unknown as string))).toContain("path must be");
});
