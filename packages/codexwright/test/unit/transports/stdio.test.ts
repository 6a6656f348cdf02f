import { expect } from "vitest";
import type { CloseReason, Transport } from "codexwright/rpc";
import { stdio } from "codexwright/stdio";
import { wireScript, type WireStep } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";

const FAKE: VerifiesOptions = { against: "fake" };

/** Starts a fake as a process and collects its output until it has ended. */
async function start(script: readonly WireStep[]) {
  const fake = wireScript({ handshake: false, script });
  const stderr: string[] = [];
  const factory = stdio({ codexPath: fake.executable, onStderr: (text) => stderr.push(text) });
  const transport: Transport = await factory(new AbortController().signal);
  const lines: string[] = [];
  const closed = new Promise<CloseReason>((resolve) => {
    transport.open({ line: (line) => lines.push(line), closed: resolve });
  });
  return {
    transport,
    lines,
    stderr,
    closed,
    async [Symbol.asyncDispose]() {
      await transport.close();
      fake[Symbol.dispose]();
    },
  };
}

verifies(
  "stdio.exit",
  "reports an exit after everything on stdout, with its code and the tail of stderr",
  async () => {
    await using server = await start([
      { stderr: "x".repeat(20_000) },
      { stderr: "the end of the story ä\n" },
      { send: { method: "n/$n" }, repeat: 20_000 },
      { exit: 3 },
    ]);
    const reason = await server.closed;
    expect(reason).toMatchObject({
      exitCode: 3,
      exitSignal: undefined,
      message: "the app-server exited with code 3",
    });
    expect(reason.stderrTail?.length).toBeLessThanOrEqual(8 * 1024);
    expect(reason.stderrTail?.endsWith("the end of the story ä\n")).toBe(true);
    expect(server.stderr.join("")).toHaveLength(20_023);
    expect(server.lines).toHaveLength(20_000);
    expect(server.lines.at(-1)).toBe('{"method":"n/19999"}');
  },
  FAKE,
);

verifies(
  "stdio.exit",
  "reports the signal that ended the server",
  async () => {
    await using server = await start([{ send: { method: "last" } }, { kill: "SIGKILL" }]);
    expect(await server.closed).toMatchObject({ exitSignal: "SIGKILL", exitCode: undefined });
    expect(server.lines).toEqual(['{"method":"last"}']);
  },
  FAKE,
);

verifies(
  "stdio.exit",
  "reports and ends a server that closes its output while it runs",
  async () => {
    await using server = await start([
      { send: { method: "last" } },
      { stubborn: true },
      { closeOutput: true },
    ]);
    expect((await server.closed).message).toContain("closed its output");
    await server.transport.close();
    expect(await rejection(server.transport.send("x"))).toBeInstanceOf(Error);
  },
  { ...FAKE, timeoutMs: 15_000 },
);

verifies(
  "stdio.close",
  "close ends stdin, and a healthy server then exits",
  async () => {
    await using server = await start([]);
    await server.transport.close();
    expect(await server.closed).toMatchObject({ exitCode: 0, exitSignal: undefined });
  },
  FAKE,
);

verifies(
  "stdio.close",
  "lines sent just before the end reach the server once and in order",
  async () => {
    await using server = await start([
      { on: "a", result: 1 },
      { on: "b", result: 2 },
      { on: "c", result: 3 },
    ]);
    const sent = ["a", "b", "c"].map((method, id) => server.transport.send(JSON.stringify({ id, method })));
    const closing = server.transport.close();
    await Promise.all(sent);
    await server.closed;
    await closing;
    expect(server.lines).toEqual([1, 2, 3].map((result, id) => JSON.stringify({ id, result })));
    const late = await rejection(server.transport.send("{}"));
    expect(late).toMatchObject({ code: "ERR_STREAM_WRITE_AFTER_END" });
  },
  FAKE,
);

verifies(
  "stdio.close",
  "lines of any length that are sent together arrive whole and in order",
  async () => {
    const lengths = [1, 70_000, 2, 30_000, 30_000, 30_000, 3, 200_000, 4];
    await using server = await start(lengths.map(() => ({ on: "a", result: {} })));
    const sent = lengths.map((length, id) =>
      server.transport.send(JSON.stringify({ id, method: "a", params: "x".repeat(length) })),
    );
    await Promise.all(sent);
    await server.transport.close();
    expect(server.lines).toEqual(lengths.map((_, id) => JSON.stringify({ id, result: {} })));
  },
  FAKE,
);

verifies(
  "stdio.close",
  "kills a server that ignores the end of stdin and SIGTERM",
  async () => {
    await using server = await start([{ stubborn: true }, { send: { method: "armed" } }]);
    while (server.lines.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await server.transport.close();
    expect(await server.closed).toMatchObject({ exitSignal: "SIGKILL" });
  },
  { ...FAKE, timeoutMs: 15_000 },
);

verifies(
  "rpc.framing",
  "bytes split anywhere on the pipe arrive as whole lines",
  async () => {
    const bytes = [...new TextEncoder().encode('{"method":"ä\u2028😀"}\r\n')];
    await using server = await start([{ chunks: bytes.map((byte) => [byte]) }, { exit: 0 }]);
    await server.closed;
    expect(server.lines).toEqual(['{"method":"ä\u2028😀"}']);
  },
  FAKE,
);
