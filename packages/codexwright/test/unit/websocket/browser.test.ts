import { expect } from "vitest";
import { listen } from "codexwright/server";
import { dialGlobal, type GlobalSocket } from "../../../src/websocket/dial-global.ts";
import { bearerProtocols, tokenOfProtocols } from "../../../src/websocket/subprotocol.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { echo, read } from "@codexwright/test-support/echo";
import { ask, UPGRADE } from "@codexwright/test-support/raw-http";

type Listeners = Record<string, ((event: never) => void)[]>;

/** A fake browser WebSocket with the members that are used. The test is its other end. */
function builtIn() {
  const listeners: Listeners = {};
  const sent: string[] = [];
  const socket = {
    readyState: 0,
    binaryType: "blob",
    send: (text: string) => sent.push(text),
    close() {
      socket.readyState = 2;
    },
    addEventListener: (type: string, listener: (event: never) => void) => {
      (listeners[type] ??= []).push(listener);
    },
  };
  const fire = (type: string, event: object = {}): void => {
    for (const listener of listeners[type] ?? []) listener(event as never);
  };
  return { socket: socket as unknown as GlobalSocket & { readyState: number }, sent, fire };
}

const TARGET = { peer: "wss://example.com", heartbeatMs: 0, maxLineBytes: 1_000 };
const never = new AbortController().signal;

verifies("sockets.websocket", "a built-in socket carries lines and reports binary frames", async () => {
  const { socket, sent, fire } = builtIn();
  const dialing = dialGlobal(() => socket, TARGET, never);
  socket.readyState = 1;
  fire("open");
  fire("message", { data: "early\n" });
  const client = read(await dialing);
  expect(await client.next()).toBe("early");
  fire("message", { data: new ArrayBuffer(3) });
  expect(await client.next()).toBe("<binary frame of 3 bytes>");
  await client.transport.send("out");
  expect(sent).toEqual(["out"]);
  fire("close", { code: 1001, reason: "going" });
  expect((await client.closed).message).toContain(
    "wss://example.com was closed by the other end (1001 going)",
  );
  expect(await rejection(client.transport.send("late"))).toBeInstanceOf(Error);
});

verifies("sockets.auth", "rejects with connection_closed if a built-in socket does not open", async () => {
  const { socket, fire } = builtIn();
  const dialing = rejection(dialGlobal(() => socket, TARGET, never));
  fire("error", {});
  expect(await dialing).toMatchObject({ code: "connection_closed", delivery: "notSent" });
  const refused = dialGlobal(
    () => {
      throw new Error("mixed content");
    },
    TARGET,
    never,
  );
  expect(await rejection(refused)).toMatchObject({
    code: "connection_closed",
    cause: { message: "mixed content" },
  });
  const given = new AbortController();
  const waiting = rejection(dialGlobal(() => builtIn().socket, TARGET, given.signal));
  given.abort("enough");
  expect(await waiting).toMatchObject({ code: "aborted", cause: "enough" });
});

verifies(
  "sockets.token",
  "a browser sends its token as a subprotocol, and the server does not echo it",
  async () => {
    const token = "eyJ.abc-_.x~1";
    expect(bearerProtocols(token)).toEqual(["codexwright", `codexwright.bearer.${token}`]);
    expect(tokenOfProtocols(bearerProtocols(token))).toBe(token);
    expect(() => bearerProtocols("a/b=")).toThrow(/token may only contain letters/);
    const origin = "https://page.example";
    const auth = { capabilityToken: { token } };
    await using listener = await listen(echo(), "ws://127.0.0.1:0", { auth, allowedOrigins: [origin] });
    const visit = async (protocols: string[], from = origin): Promise<string | number> => {
      const offered = `Sec-WebSocket-Protocol: ${protocols.join(", ")}`;
      const { status, headers } = await ask(listener.url, {
        headers: [...UPGRADE, `Origin: ${from}`, offered],
      });
      return status === 101 ? (/^sec-websocket-protocol: (.*)$/m.exec(headers)?.[1] ?? "none") : status;
    };
    expect(await visit(bearerProtocols(token))).toBe("codexwright");
    expect(await visit(bearerProtocols("wrong"))).toBe(401);
    expect(await visit(["codexwright"])).toBe(401);
    expect(await visit(bearerProtocols(token), "https://other.example")).toBe(403);
  },
);
