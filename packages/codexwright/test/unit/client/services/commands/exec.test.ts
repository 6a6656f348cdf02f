import { expect } from "vitest";
import { exec, execCommand, type ExecOptions } from "../../../../../src/client/services/commands/index.ts";
import { toBase64 } from "../../../../../src/client/services/files/base64.ts";
import { RpcError } from "../../../../../src/rpc/errors.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeHost } from "./host.ts";

const utf8 = new TextEncoder();
const ended = { exitCode: 0, stdout: "", stderr: "" };
const inactive = (method: string): RpcError =>
  new RpcError(method, { code: -32600, message: 'no active command/exec for process id "x"' });

/** A command whose output and end the test controls. */
function running(options: ExecOptions = {}) {
  const server = fakeHost();
  const command = exec(server.host, ["program"], options);
  const [request] = server.asked;
  if (!request) throw new Error("no request was sent");
  const write = (
    text: string | Uint8Array,
    stream: "stdout" | "stderr" = "stdout",
    capReached = false,
  ): void => {
    const deltaBase64 = toBase64(typeof text === "string" ? utf8.encode(text) : text);
    const processId = request.params["processId"] as string;
    server.notify("command/exec/outputDelta", { processId, stream, deltaBase64, capReached });
  };
  return { server, command, request, write };
}

verifies(
  "exec.buffered",
  "collects both streams, including characters that are split between chunks",
  async () => {
    const { command, request, write } = running();
    const [first, ...rest] = utf8.encode("ä€");
    write(Uint8Array.of(first ?? 0));
    write(Uint8Array.from(rest));
    write("oh", "stderr");
    request.answer({ ...ended, exitCode: 3 });
    const result = await command.result;
    expect(result).toMatchObject({ exitCode: 3, stdout: "ä€", stderr: "oh", timedOut: false });
    expect(result.truncated).toEqual({ stdout: false, stderr: false });
  },
);

verifies("exec.buffered", "accepts output in the answer of a server that does not stream", async () => {
  const { command, request } = running();
  request.answer({ exitCode: 0, stdout: "whole", stderr: "" });
  expect((await command.result).stdout).toBe("whole");
  expect(await command.stdout.text()).toBe("whole");
});

verifies("exec.streaming", "each reader receives everything from the start, whenever it begins", async () => {
  const { command, request, write } = running();
  write("one\ntw");
  const lines = command.stdout.lines();
  expect((await lines.next()).value).toBe("one");
  write("o\r\nthree");
  const text = command.stdout.text();
  request.answer(ended);
  expect([(await lines.next()).value, (await lines.next()).value]).toEqual(["two", "three"]);
  expect((await lines.next()).done).toBe(true);
  expect(await text).toBe("one\ntwo\r\nthree");
  expect(await command.stdout.text()).toBe("one\ntwo\r\nthree");
  expect(await command.stderr.text()).toBe("");
});

verifies("exec.streaming", "joins small chunks for a reader that lags, without losing any", async () => {
  const { command, request, write } = running();
  const reader = command.stdout[Symbol.asyncIterator]();
  for (let n = 0; n < 5_000; n++) write("abc");
  request.answer(ended);
  let [bytes, chunks] = [0, 0];
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
    bytes += next.value.length;
    chunks++;
  }
  expect(bytes).toBe(15_000);
  expect(chunks).toBeLessThan(10);
});

verifies("exec.streaming", "forgets a reader that leaves, while the others continue", async () => {
  const { command, request, write } = running();
  write("a");
  for await (const bytes of command.stdout) {
    expect(bytes).toEqual(utf8.encode("a"));
    break;
  }
  const text = command.stdout.text();
  write("b");
  request.answer(ended);
  expect(await text).toBe("ab");
});

verifies("exec.streaming", "concurrent commands receive their own output", async () => {
  const server = fakeHost();
  const all = Array.from({ length: 5 }, () => exec(server.host, ["program"]));
  for (const [n, { params }] of server.asked.entries()) {
    const processId = params["processId"] as string;
    const deltaBase64 = toBase64(utf8.encode(`${n}`));
    server.notify("command/exec/outputDelta", {
      processId,
      stream: "stdout",
      deltaBase64,
      capReached: false,
    });
  }
  for (const each of server.asked) each.answer(ended);
  const results = await Promise.all(all.map(({ result }) => result));
  expect(results.map(({ stdout }) => stdout)).toEqual(["0", "1", "2", "3", "4"]);
});

verifies(
  "exec.caps",
  "requests one byte more than the cap, so that output that is exactly as long as the cap is not truncated",
  async () => {
    for (const [wrote, truncated] of [
      ["12345678", false],
      ["123456789", true],
    ] as const) {
      const { command, request, write } = running({ outputBytesCap: 8 });
      expect(request.params).toMatchObject({ outputBytesCap: 9 });
      write(wrote, "stdout", wrote.length === 9);
      request.answer(ended);
      const result = await command.result;
      expect(result.stdout).toBe("12345678");
      expect(result.truncated).toEqual({ stdout: truncated, stderr: false });
      expect(await command.stdout.text()).toBe("12345678");
    }
  },
);

verifies("exec.caps", "omits a character that the cap splits", async () => {
  const { command, request, write } = running({ outputBytesCap: 3 });
  write("ää", "stdout", true);
  request.answer(ended);
  expect(await command.result).toMatchObject({ stdout: "ä", truncated: { stdout: true } });
});

verifies(
  "exec.caps",
  "without a cap, the result keeps 1 MiB, a reader receives everything, and a late reader gets output_lost",
  async () => {
    const { command, request, write } = running();
    expect(request.params).toMatchObject({ disableOutputCap: true });
    const early = command.stdout[Symbol.asyncIterator]();
    const chunk = new Uint8Array(400_000).fill(120);
    for (let n = 0; n < 5; n++) write(chunk);
    request.answer(ended);
    const result = await command.result;
    expect(result.stdout).toHaveLength(1_048_576);
    expect(result.truncated.stdout).toBe(true);
    let seen = 0;
    for (let next = await early.next(); next.done !== true; next = await early.next())
      seen += next.value.length;
    expect(seen).toBe(2_000_000);
    expect(await rejection(command.stdout.text())).toMatchObject({
      code: "output_lost",
      stream: "stdout",
      lostBytes: 2_000_000 - 1_048_576,
    });
  },
);

verifies(
  "exec.caps",
  "Infinity keeps everything; execCommand sets the default cap on the server",
  async () => {
    const { command, request, write } = running({ outputBytesCap: Infinity });
    for (let n = 0; n < 20; n++) write(new Uint8Array(100_000).fill(120));
    request.answer(ended);
    const result = await command.result;
    expect(result.stdout).toHaveLength(2_000_000);
    expect(result.truncated.stdout).toBe(false);
    const server = fakeHost();
    const outcome = execCommand(server.host, { command: ["program"] });
    expect(server.asked[0]?.params).toMatchObject({ outputBytesCap: 1_048_577 });
    server.asked[0]?.answer(ended);
    expect((await outcome).exitCode).toBe(0);
  },
);

verifies(
  "exec.timeout",
  "sends a time limit only if the caller sets one; exit code 124 of the command itself does not count as a timeout",
  async () => {
    for (const timeoutMs of [undefined, 0]) {
      const { request } = running({ timeoutMs });
      expect(request.params).toMatchObject({ disableTimeout: true });
      expect(request.params).not.toHaveProperty("timeoutMs");
    }
    const { command, request } = running({ timeoutMs: 60_000 });
    expect(request.params).toMatchObject({ timeoutMs: 60_000 });
    request.answer({ ...ended, exitCode: 124 });
    expect(await command.result).toMatchObject({ exitCode: 124, timedOut: false });
  },
);

verifies("exec.stdin", "sends input in order, joined or in pieces, and end() last", async () => {
  const { server, command, request } = running({ stdin: true });
  expect(request.params).toMatchObject({ streamStdin: true });
  const first = command.stdin.write(new Uint8Array(1_500_000));
  while (!server.asked[1]) await Promise.resolve();
  const more = Array.from({ length: 300 }, () => command.stdin.write("x"));
  const end = command.stdin.end();
  for (let n = 1; n <= 4; n++) {
    while (!server.asked[n]) await Promise.resolve();
    expect(server.asked).toHaveLength(n + 1);
    server.asked[n]?.answer({});
  }
  await Promise.all([first, ...more, end]);
  const sent = server.asked
    .slice(1)
    .map(({ params }) => params as { deltaBase64?: string; closeStdin?: true });
  expect(sent.map(({ deltaBase64, closeStdin }) => [deltaBase64?.length, closeStdin])).toEqual([
    [1_398_104, undefined],
    [601_900, undefined],
    [400, undefined],
    [undefined, true],
  ]);
  await command.stdin.end();
  expect(server.asked).toHaveLength(5);
  expect(await rejection(command.stdin.write("late"))).toMatchObject({ code: "stdin_closed" });
});

verifies(
  "exec.stdin",
  "rejects writes to a command that ends; end() and resize() then do nothing",
  async () => {
    const { command, request } = running({ tty: true });
    const stuck = rejection(command.stdin.write("never read"));
    request.answer(ended);
    expect(await stuck).toMatchObject({ code: "stdin_closed" });
    expect(await rejection(command.stdin.write("late"))).toMatchObject({ code: "stdin_closed" });
    await command.stdin.end();
    await command.resize({ cols: 80, rows: 24 });
    await command.kill();
  },
);

verifies("exec.stdin", "rejects input without stdin and a resize without a terminal", async () => {
  const { command } = running();
  expect(await rejection(command.stdin.write("x"))).toMatchObject({ code: "invalid_argument" });
  expect(await rejection(command.resize({ cols: 1, rows: 1 }))).toMatchObject({ code: "invalid_argument" });
});

verifies("exec.kill", "sends kill once, and again while the server has not started the command", async () => {
  const { server, command, request } = running();
  const again = server.next("command/exec/terminate").then(async (first) => {
    const second = server.next("command/exec/terminate");
    first.refuse(inactive("command/exec/terminate"));
    return await second;
  });
  const kills = Promise.all([command.kill(), command.kill()]);
  (await again).answer({});
  request.answer({ ...ended, exitCode: 137 });
  await kills;
  expect(server.methods()).toEqual(["command/exec", "command/exec/terminate", "command/exec/terminate"]);
  expect((await command.result).exitCode).toBe(137);
});

verifies("exec.kill", "kill() resolves if the command ends before the kill arrives", async () => {
  const { server, command, request } = running();
  const killed = command.kill();
  server.asked[1]?.refuse(inactive("command/exec/terminate"));
  request.answer(ended);
  await killed;
  expect((await command.result).exitCode).toBe(0);
});

verifies(
  "exec.kill",
  "an abort kills the command, and the result rejects with the reason; an already aborted signal sends nothing",
  async () => {
    const controller = new AbortController();
    const { server, command, request } = running({ signal: controller.signal });
    const text = rejection(command.stdout.text());
    controller.abort("enough");
    expect(server.methods()).toEqual(["command/exec", "command/exec/terminate"]);
    server.asked[1]?.answer({});
    request.answer({ ...ended, exitCode: 137 });
    expect(await rejection(command.result)).toMatchObject({
      code: "aborted",
      cause: "enough",
      delivery: "unknown",
    });
    expect(await text).toMatchObject({ code: "aborted" });

    const unsent = fakeHost();
    const never = exec(unsent.host, ["program"], { signal: AbortSignal.abort() });
    expect(await rejection(never.result)).toMatchObject({ code: "aborted", delivery: "notSent" });
    expect(unsent.asked).toEqual([]);
  },
);

verifies("exec.kill", "disposal kills the command, waits for its end and cancels the request", async () => {
  const { server, command, request } = running();
  const disposed = command[Symbol.asyncDispose]();
  server.asked[1]?.answer({});
  request.answer({ ...ended, exitCode: 137 });
  await disposed;
  expect(await rejection(command.result)).toMatchObject({ code: "aborted" });
  expect(request.signal?.aborted).toBe(true);
  await command[Symbol.asyncDispose]();
});

verifies(
  "exec.kill",
  "the end of the connection rejects the result, the streams and pending writes",
  async () => {
    const { server, command, write } = running({ stdin: true });
    write("before");
    const reader = command.stdout[Symbol.asyncIterator]();
    const writing = rejection(command.stdin.write("x"));
    while (server.asked.length < 2) await Promise.resolve();
    server.close();
    expect(await rejection(command.result)).toMatchObject({ code: "connection_closed" });
    expect(await writing).toMatchObject({
      code: expect.stringMatching(/connection_closed|stdin_closed/) as string,
    });
    expect((await reader.next()).value).toEqual(utf8.encode("before"));
    expect(await rejection(Promise.resolve(reader.next()))).toMatchObject({ code: "connection_closed" });
    await command.kill();
  },
);

verifies("exec.pty", "requests a terminal and its size, and rejects invalid sizes", async () => {
  const { server, command, request } = running({ tty: { cols: 80, rows: 24 } });
  expect(request.params).toMatchObject({ tty: true, size: { cols: 80, rows: 24 } });
  const resized = command.resize({ cols: 100, rows: 40 });
  expect(server.asked[1]?.params).toMatchObject({ size: { cols: 100, rows: 40 } });
  server.asked[1]?.answer({});
  await resized;
  expect(await rejection(command.resize({ cols: 0, rows: 40 }))).toMatchObject({ code: "invalid_argument" });
});

verifies(["exec.buffered", "exec.caps"], "rejects invalid arguments immediately", () => {
  const { host, asked } = fakeHost();
  for (const [argv, options] of [
    [[], {}],
    ["ls", {}],
    [["ls"], { timeoutMs: -1 }],
    [["ls"], { outputBytesCap: 1.5 }],
    [["ls"], { outputBytesCap: -1 }],
    [["ls"], { tty: { cols: 80, rows: 70_000 } }],
  ] as [string[], ExecOptions][]) {
    expect(() => exec(host, argv, options)).toThrow(/argv|timeoutMs|outputBytesCap|rows/);
  }
  expect(asked).toEqual([]);
});

verifies(
  "exec.unsupported",
  "servers before 0.115 run commands to their end; other options are unsupported",
  async () => {
    for (const options of [
      { tty: true },
      { stdin: true },
      { stdin: "" },
      { env: {} },
      { outputBytesCap: 1 },
    ] satisfies ExecOptions[]) {
      expect(() => exec(fakeHost("0.110.0").host, ["ls"], options)).toThrow(/came with 0\.115/);
    }
    const server = fakeHost("0.110.0");
    const command = exec(server.host, ["ls"], { cwd: "/", tty: false, stdin: false });
    expect(server.asked[0]?.params).toEqual({ command: ["ls"], cwd: "/", timeoutMs: 2 ** 31 - 1 });
    const text = command.stdout.text();
    expect(await rejection(command.kill())).toMatchObject({ code: "unsupported" });
    server.asked[0]?.answer({ exitCode: 0, stdout: "x".repeat(1_048_576), stderr: "" });
    expect(await text).toHaveLength(1_048_576);
    expect((await command.result).truncated).toEqual({ stdout: true, stderr: false });

    const controller = new AbortController();
    const aborted = exec(server.host, ["sleep"], { signal: controller.signal });
    controller.abort();
    expect(await rejection(aborted.result)).toMatchObject({ code: "aborted" });
    await exec(server.host, ["sleep"])[Symbol.asyncDispose]();
  },
);
