import { describe, expect } from "vitest";
import type { WireMessage } from "codexwright/rpc";
import { onWindows, unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { emptied } from "./shells.ts";
import { world, type World } from "./turns.ts";

const bash = (script: string): string[] => ["/bin/bash", "-c", script];
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** The streamed output of a command, as bytes in latin1. */
function streamed({ client }: World, stream = "stdout"): string {
  return client.messages
    .flatMap(({ method, params }) => {
      const delta = params as { stream: string; deltaBase64: string };
      const isDelta = method === "command/exec/outputDelta" || method === "process/outputDelta";
      return isDelta && delta.stream === stream
        ? [Buffer.from(delta.deltaBase64, "base64").toString("latin1")]
        : [];
    })
    .join("");
}

describe("command/exec", () => {
  verifies(
    "engine.exec.client-command",
    "answers with the exit code and both streams, in the environment that the client changes",
    async () => {
      await using place = await world([]);
      const exec = async (script: string, more = {}): Promise<unknown> =>
        (await place.client.ask("command/exec", { command: bash(script), ...more })).result;
      expect(await exec("echo out; echo err >&2; exit 3")).toEqual({
        exitCode: 3,
        stdout: "out\n",
        stderr: "err\n",
      });
      expect(await exec("echo $ADDED:${HOME-unset}", { env: { ADDED: "1", HOME: null } })).toMatchObject({
        stdout: "1:unset\n",
      });
      expect(await exec("readlink /proc/self/fd/0; cat; echo end")).toMatchObject({
        stdout: "/dev/null\nend\n",
      });
      expect(await exec("printf 0123456789; printf abcdef >&2", { outputBytesCap: 4 })).toMatchObject({
        stdout: "0123",
        stderr: "abcd",
      });
      expect(await exec("sleep 600", { timeoutMs: 200 })).toMatchObject({ exitCode: 124 });
      expect(await exec("sleep 600", { timeoutMs: 0 })).toMatchObject({ exitCode: 124 });
      const long = (await exec("head -c 3000000 /dev/zero | tr '\\0' x")) as { stdout: string };
      expect(long.stdout.length).toBe(1024 * 1024);
      await emptied(place.folder);
    },
    { skip: unlessLinux },
  );

  verifies(
    "engine.exec.client-refusals",
    "refuses what the real server refuses, with its words",
    async () => {
      await using place = await world([]);
      const { client } = place;
      const refused = async (method: string, params: object): Promise<string> => {
        const { error } = await client.ask(method, params);
        return `${error?.code} ${error?.message}`;
      };
      const exec = (params: object): Promise<string> =>
        refused("command/exec", { command: ["true"], ...params });
      const enoent = "No such file or directory (os error 2)";
      expect(await exec({ command: [] })).toBe("-32600 command must not be empty");
      expect(await exec({ command: ["nonesuch-program"] })).toBe(`-32603 failed to spawn command: ${enoent}`);
      expect(await exec({ cwd: "/nonesuch" })).toBe(`-32603 failed to spawn command: ${enoent}`);
      expect(await exec({ command: ["echo", "a\0b"] })).toContain("nul byte found in provided data");
      expect(await exec({ timeoutMs: -1 })).toBe(
        "-32602 command/exec timeoutMs must be non-negative, got -1",
      );
      expect(await exec({ timeoutMs: 5, disableTimeout: true })).toContain(
        "-32602 command/exec cannot set both",
      );
      expect(await exec({ outputBytesCap: 5, disableOutputCap: true })).toContain(
        "-32602 command/exec cannot set",
      );
      expect(await exec({ size: { rows: 1, cols: 1 } })).toBe("-32602 command/exec size requires tty: true");
      expect(await exec({ processId: "p", tty: true, size: { rows: 0, cols: 1 } })).toBe(
        "-32602 command/exec size rows and cols must be greater than 0",
      );
      expect(await exec({ tty: true })).toBe(
        "-32600 command/exec tty or streaming requires a client-supplied processId",
      );
      const both = { sandboxPolicy: { type: "readOnly" }, permissionProfile: ":read-only" };
      expect(await exec(both)).toBe("-32600 `permissionProfile` cannot be combined with `sandboxPolicy`");
      const none = '-32600 no active command/exec for process id "p"';
      expect(await refused("command/exec/terminate", { processId: "p" })).toBe(none);
      expect(await refused("command/exec/resize", { processId: "p", size: { rows: 1, cols: 1 } })).toBe(none);
      expect(await refused("command/exec/write", { processId: "p", deltaBase64: "" })).toBe(none);
    },
    { skip: unlessLinux },
  );

  verifies(
    "engine.exec.client-streams",
    "streams raw bytes up to the cap, takes input, and ends on request",
    async () => {
      await using place = await world([]);
      const { client } = place;
      const command = bash(String.raw`printf 'a\xff\xe2\x82'; cat; echo end`);
      client.write({
        id: "c",
        method: "command/exec",
        params: { command, processId: "p", streamStdin: true, streamStdoutStderr: true },
      });
      await client.until(() => streamed(place).length === 4);
      expect(streamed(place)).toBe("a\u00ff\u00e2\u0082");
      const write = async (params: object): Promise<WireMessage> =>
        await client.ask("command/exec/write", { processId: "p", ...params });
      expect((await write({ deltaBase64: "!!!" })).error?.message).toBe(
        "invalid deltaBase64: Invalid symbol 33, offset 0.",
      );
      expect((await write({})).error?.message).toBe("command/exec/write requires deltaBase64 or closeStdin");
      expect((await client.ask("command/exec", { command, processId: "p" })).error?.message).toBe(
        'duplicate active command/exec process id: "p"',
      );
      expect(
        (await client.ask("command/exec/resize", { processId: "p", size: { rows: 1, cols: 1 } })).error
          ?.message,
      ).toBe("failed to resize PTY: process is not attached to a PTY");
      await write({ deltaBase64: base64("\u0082typed"), closeStdin: true });
      expect((await client.answer("c")).result).toEqual({ exitCode: 0, stdout: "", stderr: "" });
      expect(Buffer.from(streamed(place), "latin1").toString()).toBe("a\ufffd\ufffd\u0082typedend\n");
      const capped = { command: bash("printf 01; sleep 0.2; printf 23456; printf 789"), processId: "q" };
      await client.ask("command/exec", { ...capped, outputBytesCap: 4, streamStdoutStderr: true });
      const pieces = client.messages.flatMap(({ method, params }) =>
        method === "command/exec/outputDelta" && (params as { processId: string }).processId === "q"
          ? [params as { capReached: boolean }]
          : [],
      );
      expect(pieces.at(-1)?.capReached).toBe(true);
      expect(streamed(place).endsWith("0123")).toBe(true);
      client.write({
        id: "d",
        method: "command/exec",
        params: { command: ["sleep", "600"], processId: "r" },
      });
      await client.until(() => true);
      expect(
        (await client.ask("command/exec/write", { processId: "r", closeStdin: true })).error?.message,
      ).toBe("stdin streaming is not enabled for this command/exec");
      await client.ask("command/exec/terminate", { processId: "r" });
      expect((await client.answer("d")).result).toMatchObject({ exitCode: 137 });
    },
    { skip: unlessLinux },
  );

  verifies(
    "engine.exec.client-terminal",
    "runs a command in a terminal that the client resizes",
    async () => {
      await using place = await world([]);
      const { client } = place;
      const script =
        "trap 'stty size' WINCH; stty size; echo ready; while read -r line; do echo got $line; done; exit 6";
      const params = { command: bash(script), processId: "t", tty: true, size: { rows: 10, cols: 20 } };
      client.write({ id: "c", method: "command/exec", params });
      await client.until(() => streamed(place).includes("10 20") && streamed(place).includes("ready"));
      await client.ask("command/exec/resize", { processId: "t", size: { rows: 33, cols: 44 } });
      await client.ask("command/exec/write", { processId: "t", deltaBase64: base64("hey\n") });
      await client.until(() => streamed(place).includes("got hey") && streamed(place).includes("33 44"));
      await client.ask("command/exec/write", { processId: "t", closeStdin: true });
      expect((await client.answer("c")).result).toEqual({ exitCode: 6, stdout: "", stderr: "" });
    },
    { skip: onWindows },
  );
});

describe("process/*", () => {
  verifies(
    "engine.exec.processes",
    "starts processes and tells their output and their end after the answer",
    async () => {
      await using place = await world([]);
      const { client, folder } = place;
      let ends = 0;
      const run = async (script: string, more = {}): Promise<unknown> => {
        const spawned = await client.ask("process/spawn", {
          command: bash(script),
          processHandle: "h",
          cwd: folder,
          ...more,
        });
        expect(spawned.result).toEqual({});
        const { params } = await client.told("process/exited", ++ends);
        return params;
      };
      const plain = { processHandle: "h", outputDrainTimedOut: false };
      expect(await run("echo out; echo err >&2; exit 3")).toEqual({
        ...plain,
        exitCode: 3,
        stdout: "out\n",
        stdoutCapReached: false,
        stderr: "err\n",
        stderrCapReached: false,
      });
      expect(await run("printf 0123456789; printf abc >&2", { outputBytesCap: 4 })).toMatchObject({
        stdout: "0123",
        stdoutCapReached: true,
        stderr: "abc",
        stderrCapReached: false,
      });
      const whole = (await run("head -c 2000000 /dev/zero | tr '\\0' x", { outputBytesCap: null })) as {
        stdout: string;
      };
      expect(whole.stdout.length).toBe(2_000_000);
      expect(await run("sleep 600", { timeoutMs: 200 })).toMatchObject({ exitCode: 124 });
      expect(await run("sleep 600 & echo up")).toMatchObject({ stdout: "up\n", outputDrainTimedOut: true });
      expect(await run("printf 01; echo err >&2", { streamStdoutStderr: true })).toMatchObject({
        stdout: "",
        stderr: "",
      });
      expect(streamed(place)).toBe("01");
      const spawned = client.messages.findLastIndex(({ result }) => result !== undefined);
      const delta = client.messages.findIndex(({ method }) => method === "process/outputDelta");
      expect(delta).toBeGreaterThan(spawned);
      await emptied(folder);
    },
    { skip: unlessLinux },
  );

  verifies(
    "engine.exec.process-requests",
    "writes, resizes and kills by handle, and refuses what the real server refuses",
    async () => {
      const place = await world([]);
      await using _ = place;
      const { client, folder } = place;
      const ask = async (method: string, params: object): Promise<string> => {
        const { error, result } = await client.ask(method, params);
        return error ? `${error.code} ${error.message}` : JSON.stringify(result);
      };
      const spawn = (params: object): Promise<string> =>
        ask("process/spawn", { command: ["cat"], processHandle: "h", cwd: folder, ...params });
      expect(await spawn({ command: [] })).toBe("-32600 command must not be empty");
      expect(await spawn({ processHandle: "" })).toBe("-32600 processHandle must not be empty");
      expect(await spawn({ cwd: "relative" })).toContain("-32600 Invalid request: AbsolutePathBuf");
      expect(await spawn({ command: ["/nonesuch"] })).toBe(
        "-32603 failed to spawn process: No such file or directory (os error 2)",
      );
      expect(await spawn({ size: { rows: 1, cols: 1 } })).toBe(
        "-32602 process/spawn size requires tty: true",
      );
      expect(await spawn({ tty: true, size: { rows: 0, cols: 1 } })).toBe(
        "-32602 process size rows and cols must be greater than 0",
      );
      expect(await spawn({ tty: true })).toBe("{}");
      expect(await spawn({})).toBe('-32600 duplicate active process handle: "h"');
      expect(await ask("process/resizePty", { processHandle: "h", size: { rows: 3, cols: 4 } })).toBe("{}");
      expect(await ask("process/writeStdin", { processHandle: "h", deltaBase64: base64("hey\n") })).toBe(
        "{}",
      );
      await client.until(() => streamed(place).includes("hey\r\nhey"));
      expect(await ask("process/kill", { processHandle: "h" })).toBe("{}");
      expect((await client.told("process/exited")).params).toMatchObject({ exitCode: 137 });
      expect(await ask("process/kill", { processHandle: "h" })).toBe(
        '-32600 no active process for process handle "h"',
      );
      expect(await spawn({ command: ["sleep", "600"] })).toBe("{}");
      expect(await ask("process/writeStdin", { processHandle: "h", closeStdin: true })).toBe(
        "-32600 stdin streaming is not enabled for this process",
      );
      await client.hangUp();
      await emptied(folder);
    },
    { skip: unlessLinux },
  );
});
