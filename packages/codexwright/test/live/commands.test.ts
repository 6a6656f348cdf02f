import { expect } from "vitest";
import type { ExecHandle } from "codexwright";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, processesOf, serversOf, world } from "@codexwright/test-support/world";

const sh = (script: string): string[] => ["sh", "-c", script];
const FULL = { type: "dangerFullAccess" } as const;

verifies(
  "exec.buffered",
  "a command reports its exit code and both streams, and uses the given folder and environment",
  async () => {
    await using live = await world([]);
    const { workspace, home } = live.server;
    const script = `printf '%s|' "$PWD" "$ADDED" "\${HOME-unset}"; printf 'wärn' >&2; exit 3`;
    const env = { ADDED: "a b", HOME: null };
    expect(await live.codex.exec(sh(script), { cwd: home, env }).result).toMatchObject({
      exitCode: 3,
      stdout: `${home}|a b|unset|`,
      stderr: "wärn",
      truncated: { stdout: false, stderr: false },
      timedOut: false,
    });
    expect((await live.codex.exec(["pwd"]).result).stdout).toBe(`${workspace}\n`);
  },
  PINNED,
);

verifies(
  "exec.buffered",
  "a missing program ends with exit code 101 in the sandbox, and with an rpc error without one",
  async () => {
    await using live = await world([]);
    const result = await live.codex.exec(["no-such-program"]).result;
    expect(result.exitCode).toBe(101);
    expect(result.stderr).toContain("no-such-program");
    const bare = live.codex.exec(["no-such-program"], { sandboxPolicy: FULL });
    expect(await rejection(bare.result)).toMatchObject({ code: "rpc", rpcCode: -32603 });
    expect(await rejection(bare.stdout.text())).toMatchObject({ code: "rpc" });
  },
  PINNED,
);

verifies(
  ["exec.streaming", "exec.caps"],
  "streams 8 MB without loss; the result keeps 1 MiB, or everything if the cap is Infinity",
  async () => {
    await using live = await world([]);
    const many = sh("seq 1 1200000");
    const command = live.codex.exec(many);
    let [bytes, chunks] = [0, 0];
    let last = "";
    for await (const chunk of command.stdout) {
      bytes += chunk.length;
      chunks++;
      last = new TextDecoder().decode(chunk);
    }
    expect(bytes).toBe(8_488_896);
    expect(chunks).toBeGreaterThan(10);
    expect(last.endsWith("\n1200000\n")).toBe(true);
    const result = await command.result;
    expect(result.truncated.stdout).toBe(true);
    expect(result.stdout).toHaveLength(1_048_576);
    const whole = await live.codex.exec(many, { outputBytesCap: Infinity }).result;
    expect(whole.stdout).toHaveLength(8_488_896);
    expect(whole.truncated.stdout).toBe(false);
  },
  PINNED,
);

verifies(
  "exec.streaming",
  "output is available while the command is still running",
  async () => {
    await using live = await world([]);
    const command = live.codex.exec(sh("echo ready; read answer; echo got $answer"), { stdin: true });
    const lines = command.stdout.lines();
    expect((await lines.next()).value).toBe("ready");
    await command.stdin.write("yes\n");
    expect((await lines.next()).value).toBe("got yes");
    expect((await lines.next()).done).toBe(true);
    expect((await command.result).exitCode).toBe(0);
  },
  PINNED,
);

verifies(
  "exec.stdin",
  "cat returns its input in order until end()",
  async () => {
    await using live = await world([]);
    const bytes = new Uint8Array(700_000).map((_, n) => n * 31);
    const command = live.codex.exec(["cat"], { stdin: true, outputBytesCap: Infinity });
    const writes = [command.stdin.write("ä"), command.stdin.write(bytes), command.stdin.end()];
    const got: Uint8Array[] = [];
    for await (const chunk of command.stdout) got.push(chunk);
    await Promise.all(writes);
    expect(Buffer.compare(Buffer.concat(got), Buffer.concat([Buffer.from("ä"), bytes]))).toBe(0);
    expect((await command.result).exitCode).toBe(0);
    expect(await rejection(command.stdin.write("late"))).toMatchObject({ code: "stdin_closed" });
    expect((await live.codex.exec(["cat"], { stdin: "given" }).result).stdout).toBe("given");
    expect((await live.codex.exec(["cat"]).result).stdout).toBe("");
  },
  PINNED,
);

verifies(
  "exec.stdin",
  "writes reject when a command ends without reading them",
  async () => {
    await using live = await world([]);
    const command = live.codex.exec(["sleep", "1"], { stdin: true });
    // More than the pipe and the server's queue can hold, so the last write waits for the command.
    const writing = rejection(
      (async () => {
        for (let n = 0; n < 10_000; n++) await command.stdin.write(new Uint8Array(70_000));
      })(),
    );
    expect(await writing).toMatchObject({ code: "stdin_closed" });
    expect((await command.result).exitCode).toBe(0);
    expect(await rejection(command.stdin.write("x"))).toMatchObject({ code: "stdin_closed" });
    await command.stdin.end();
  },
  PINNED,
);

verifies(
  "exec.pty",
  "a terminal has a size, can be resized, and ends with end()",
  async () => {
    await using live = await world([]);
    const script = "test -t 0 && test -t 1 && stty size; read x; stty size; cat";
    const command = live.codex.exec(sh(script), { tty: { cols: 33, rows: 11 } });
    const lines = command.stdout.lines();
    expect((await lines.next()).value).toBe("11 33");
    await command.resize({ cols: 44, rows: 22 });
    await command.stdin.write("go\n");
    expect((await lines.next()).value).toBe("go");
    expect((await lines.next()).value).toBe("22 44");
    await command.stdin.end();
    expect(await command.result).toMatchObject({ exitCode: 0, stderr: "" });
    await command.resize({ cols: 1, rows: 1 });
    expect((await live.codex.exec(sh("test -t 1 && echo tty"), { tty: true }).result).stdout).toBe("tty\r\n");
    expect((await live.codex.exec(sh("test -t 1")).result).exitCode).toBe(1);
  },
  PINNED,
);

verifies(
  "exec.kill",
  "kill ends a command immediately: before it starts, while it runs, and after its end",
  async () => {
    await using live = await world([]);
    const early = live.codex.exec(["sleep", "1000"]);
    await early.kill();
    expect((await early.result).exitCode).toBe(137);

    const middle = live.codex.exec(sh("echo on; sleep 1000"));
    const reader = middle.stdout.lines();
    expect((await reader.next()).value).toBe("on");
    await Promise.all([middle.kill(), middle.kill()]);
    expect(await middle.result).toMatchObject({ exitCode: 137, stdout: "on\n" });
    await middle.kill();

    const done = live.codex.exec(["true"]);
    await done.result;
    await done.kill();
  },
  PINNED,
);

verifies(
  "exec.kill",
  "a signal or disposal kills the command, and the process is gone",
  async () => {
    await using live = await world([]);
    const servers = processesOf(live.server.root);
    const controller = new AbortController();
    const aborted = live.codex.exec(sh("echo on; exec sleep 1000"), { signal: controller.signal });
    await aborted.stdout.lines().next();
    controller.abort();
    expect(await rejection(aborted.result)).toMatchObject({ code: "aborted" });
    let disposed: ExecHandle;
    {
      await using command = live.codex.exec(sh("echo on; exec sleep 1000"), { sandboxPolicy: FULL });
      disposed = command;
      await command.stdout.lines().next();
    }
    expect(await rejection(disposed.result)).toMatchObject({ code: "aborted" });
    expect(processesOf(live.server.root)).toEqual(servers);
  },
  PINNED,
);

verifies(
  "exec.kill",
  "nothing hangs if a command reads no input and the server can no longer write to it",
  async () => {
    await using live = await world([]);
    const controller = new AbortController();
    const command = live.codex.exec(["sleep", "1000"], { stdin: true, signal: controller.signal });
    let written = 0;
    const stuck = rejection(
      (async () => {
        for (; written < 10_000; written++) await command.stdin.write(new Uint8Array(70_000));
      })(),
    );
    // The pipe and the server's queue are full: the server answers other requests, but no writes.
    for (let idle = 0, before = 0; idle < 200; before = written) {
      await live.codex.request("thread/loaded/list", {});
      idle = written > 100 && written === before ? idle + 1 : 0;
    }
    controller.abort();
    expect(await rejection(command.result)).toMatchObject({ code: "aborted" });
    expect(await stuck).toMatchObject({ code: "stdin_closed" });
    await command.kill();
    const { root } = live.server;
    await live.codex.disconnect();
    // Such a server ends only with SIGKILL, and its commands end right after it.
    await until(() => processesOf(root).length === 0);
  },
  PINNED,
);

verifies(
  "exec.kill",
  "the death of the server rejects running commands",
  async () => {
    await using live = await world([]);
    const command = live.codex.exec(sh("echo on; sleep 1000"), { stdin: true });
    const lines = command.stdout.lines();
    await lines.next();
    const [pid] = serversOf(live.server.root);
    if (pid === undefined) throw new Error("no server found");
    process.kill(pid, "SIGKILL");
    expect(await rejection(command.result)).toMatchObject({ code: "connection_closed" });
    expect(await rejection(lines.next())).toMatchObject({ code: "connection_closed" });
    expect(await rejection(command.stdin.write("x"))).toMatchObject({ code: "stdin_closed" });
    await command.kill();
  },
  PINNED,
);

verifies(
  "exec.timeout",
  "a timeout ends a command and is reported; without one, a command can run longer than the server's 10 s",
  async () => {
    await using live = await world([]);
    const long = live.codex.exec(["sleep", "11"]);
    const result = await live.codex.exec(sh("echo on; sleep 1000"), { timeoutMs: 300 }).result;
    expect(result).toMatchObject({ exitCode: 124, timedOut: true, stdout: "on\n" });
    expect(await live.codex.exec(sh("exit 124"), { timeoutMs: 60_000 }).result).toMatchObject({
      exitCode: 124,
      timedOut: false,
    });
    expect(await long.result).toMatchObject({ exitCode: 0, timedOut: false });
  },
  PINNED,
);

verifies(
  "exec.caps",
  "the server sends no output beyond the cap, and the result reports exactly whether output was lost",
  async () => {
    await using live = await world([]);
    const exact = live.codex.exec(sh("printf 12345678"), { outputBytesCap: 8 });
    expect(await exact.result).toMatchObject({ stdout: "12345678", truncated: { stdout: false } });
    const over = live.codex.exec(sh("printf 12345678; sleep 0.1; printf 9; printf ab >&2"), {
      outputBytesCap: 8,
    });
    expect(await over.stdout.text()).toBe("12345678");
    expect(await over.result).toMatchObject({
      stdout: "12345678",
      stderr: "ab",
      truncated: { stdout: true, stderr: false },
    });
    const none = await live.codex.exec(sh("printf x"), { outputBytesCap: 0 }).result;
    expect(none).toMatchObject({ stdout: "", truncated: { stdout: true, stderr: false } });
  },
  PINNED,
);

verifies(
  ["exec.streaming", "exec.buffered"],
  "20 parallel commands each receive their own output",
  async () => {
    await using live = await world([]);
    const all = Array.from({ length: 20 }, (_, n) =>
      live.codex.exec(sh(`seq ${n + 1}000 ${n + 1}999; exit ${n}`)),
    );
    for (const [n, { exitCode, stdout }] of (await Promise.all(all.map(({ result }) => result))).entries()) {
      expect(exitCode).toBe(n);
      expect(stdout.startsWith(`${n + 1}000\n`)).toBe(true);
      expect(stdout.split("\n")).toHaveLength(1_001);
    }
  },
  PINNED,
);

verifies(
  "exec.unsupported",
  "0.98 runs a command to its end and rejects what it does not support",
  async () => {
    await using live = await world([], { codexPath: await codexBinary("0.98.0") });
    const command = live.codex.exec(sh("echo out; echo err >&2; exit 4"), { sandboxPolicy: FULL });
    expect(await command.stdout.text()).toBe("out\n");
    expect(await command.result).toMatchObject({ exitCode: 4, stdout: "out\n", stderr: "err\n" });
    expect(() => live.codex.exec(["ls"], { tty: true })).toThrow(/came with 0\.115/);
    const running = live.codex.exec(["sleep", "1"], { sandboxPolicy: FULL });
    expect(await rejection(running.kill())).toMatchObject({ code: "unsupported" });
    const late = live.codex.exec(["sleep", "30"], { sandboxPolicy: FULL, timeoutMs: 200 });
    expect(await late.result).toMatchObject({ exitCode: 124, timedOut: true });
    expect((await running.result).exitCode).toBe(0);
  },
  { against: "codex 0.98.0", timeoutMs: 180_000 },
);
