import { describe, expect } from "vitest";
import { onWindows, unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { emptied, processesIn } from "./shells.ts";
import { eventsOf, exec, world, write, type Item } from "./turns.ts";

const skip = { skip: onWindows };

describe("exec_command", () => {
  verifies(
    "engine.exec.command",
    "runs a command: its item, its deltas, and the report for the model",
    async () => {
      await using place = await world([exec("echo one; echo two >&2; exit 3")]);
      const [output] = await place.turn();
      expect(output).toMatch(
        /^Chunk ID: [0-9a-f]{6}\nWall time: \d+\.\d{4} seconds\nProcess exited with code 3\nOriginal token count: 2\nOutput:\n/,
      );
      const item = await place.command();
      expect(item).toMatchObject({
        status: "failed",
        source: "unifiedExecStartup",
        exitCode: 3,
        command: "/bin/bash -c 'echo one; echo two >&2; exit 3'",
      });
      expect(new Set(String(item["aggregatedOutput"]).split("\n"))).toEqual(new Set(["one", "two", ""]));
      expect(item["processId"]).toMatch(/^\d{4,5}$/);
      expect(eventsOf(place.client, "c0-0").at(0)).toBe("started");
      expect(eventsOf(place.client, "c0-0").at(-1)).toBe("completed");
    },
    skip,
  );

  verifies(
    "engine.exec.yield",
    "answers with a session when the command still runs, and completes its item after the turn, under the old turn",
    async () => {
      await using place = await world([
        exec("echo up; read -r line < gate; echo $line; exit 4", { yield_time_ms: 250 }),
      ]);
      const gate = ["/bin/bash", "-c", "mkfifo gate"];
      expect((await place.client.ask("command/exec", { command: gate })).result).toMatchObject({
        exitCode: 0,
      });
      const [output] = await place.turn();
      expect(output).toMatch(/\nProcess running with session ID \d{4,5}\n/);
      expect(place.completedCommands()).toEqual([]);
      const open = ["/bin/bash", "-c", "echo opened > gate"];
      await place.client.ask("command/exec", { command: open });
      const item = await place.command();
      expect(item).toMatchObject({ exitCode: 4, aggregatedOutput: "up\nopened\n", status: "failed" });
      const { params } = await place.client.told("turn/completed");
      const ended = place.client.messages.find(
        (each) => each.method === "item/completed" && (each.params as { item: Item }).item === item,
      );
      expect(ended?.params).toMatchObject({ turnId: (params as { turn: { id: string } }).turn.id });
    },
    skip,
  );

  verifies(
    "engine.exec.start-failures",
    "tells the model and the client why a command did not start, and the turn goes on",
    async () => {
      await using place = await world([
        exec("echo hi", { workdir: "/nonesuch/folder" }),
        exec("echo a\0b"),
        exec(`echo ${"a".repeat(200_000)}`),
        exec("echo fine"),
      ]);
      const outputs = await place.turn();
      const why = [
        "No such file or directory (os error 2)",
        "nul byte found",
        "Argument list too long (os error 7)",
      ];
      for (const [n, text] of why.entries()) {
        expect(outputs[n]).toContain("Failed to create unified exec process: ");
        expect(outputs[n]).toContain(text);
        expect(place.completedCommands()[n]).toMatchObject({
          status: "failed",
          exitCode: -1,
          processId: null,
        });
      }
      expect(outputs[3]).toContain("fine");
      expect(place.server.failures).toEqual([]);
    },
    { skip: unlessLinux },
  );

  verifies(
    "engine.exec.arguments",
    "answers wrong arguments with a text and starts nothing",
    async () => {
      const wrong: Record<string, unknown>[] = [
        { cmd: undefined },
        { cmd: 5 },
        { tty: "yes" },
        { yield_time_ms: -5 },
        { max_output_tokens: 1.5 },
        { sandbox_permissions: "zzz" },
        { prefix_rule: "ls" },
        { shell: ["bash"] },
      ];
      await using place = await world([
        ...wrong.map((args) => exec("echo no", args)),
        { name: "write_stdin", args: { chars: "x" } },
        { name: "write_stdin", args: { session_id: "x" } },
        { name: "write_stdin", args: { session_id: 4242, chars: "x" } },
      ]);
      const outputs = await place.turn();
      for (const output of outputs.slice(0, -1))
        expect(output).toMatch(/^failed to parse function arguments: /);
      expect(outputs.at(-1)).toBe("write_stdin failed: Unknown process id 4242");
      expect(place.completedCommands()).toEqual([]);
    },
    skip,
  );

  verifies(
    "engine.exec.shells",
    "runs scripts only with shells that it knows, whatever path the model names",
    async () => {
      await using place = await world([
        exec("echo $0", { shell: "bash" }),
        exec("echo $0", { shell: "/nonesuch/bash" }),
        exec("echo $0", { shell: "/usr/bin/python3" }),
        exec("shopt -q login_shell && echo login", { login: true }),
      ]);
      const outputs = await place.turn();
      expect(outputs.map((text) => text.split("\n").at(-2))).toEqual([
        "/bin/bash",
        "/bin/bash",
        "/bin/sh",
        "login",
      ]);
    },
    { skip: unlessLinux },
  );

  verifies(
    "engine.exec.truncation",
    "returns the beginning and the end of long output, in the size that the model asks for",
    async () => {
      await using place = await world([
        exec("seq 1 3000", { max_output_tokens: 50 }),
        exec("seq 1 400000", { max_output_tokens: 100 }),
        exec("seq 1 5", { max_output_tokens: 0 }),
      ]);
      const [lines, flood, none] = (await place.turn()).map((text) => text.slice(text.indexOf("Original")));
      expect(lines).toMatch(
        /^Original token count: 3474\nOutput:\nWarning: truncated output \(original token count: 3474\)\nTotal output lines: 3000\n\n1\n2\n/,
      );
      expect(lines).toContain("\n36\n3…3424 tokens truncated…2981\n");
      expect(flood).toContain("original token count: 672224)\n... 1640319 bytes omitted ...\n\n1\n2\n");
      expect(flood).toContain("…262052 tokens truncated…");
      expect(none).toContain("Total output lines: 5\n\n…3 tokens truncated…");
      const item = await place.command(2);
      expect(String(item["aggregatedOutput"]).length).toBe(1024 * 1024 + 31);
    },
    { skip: unlessLinux },
  );

  verifies(
    "engine.exec.characters",
    "does not break characters that arrive in pieces",
    async () => {
      const script = String.raw`printf 'a\xff\xe2\x82'; sleep 0.3; printf '\xac\xf0\x9f'; sleep 0.3; printf '\x98\x80z\n'`;
      await using place = await world([exec(script)]);
      const [output] = await place.turn();
      expect(output?.endsWith("Output:\na\u{fffd}\u{20ac}\u{1f600}z\n")).toBe(true);
      const deltas = eventsOf(place.client, "c0-0").filter((event) => event.startsWith("outputDelta"));
      expect(deltas.map((event) => event.slice("outputDelta ".length)).join("")).toBe(
        "a\u{fffd}\u{20ac}\u{1f600}z\n",
      );
    },
    skip,
  );
});

describe("write_stdin", () => {
  verifies(
    "engine.exec.write",
    "writes to a terminal and tells clients, before the item completes",
    async () => {
      await using place = await world([
        exec("read a; echo got $a; read b; echo end $b", { tty: true, yield_time_ms: 250 }),
        write("hello\n", { yield_time_ms: 1_000 }),
        write("bye\n", { yield_time_ms: 30_000 }),
        write("", {}),
      ]);
      const outputs = await place.turn();
      expect(outputs[1]).toContain("got hello");
      expect(outputs[2]).toContain("Process exited with code 0");
      expect(outputs[2]).toContain("end bye");
      expect(outputs[2]).not.toContain("hello");
      expect(outputs[3]).toMatch(/^write_stdin failed: Unknown process id \d+$/);
      const events = eventsOf(place.client, "c0-0").filter((event) => !event.startsWith("outputDelta"));
      expect(events).toEqual([
        "started",
        "terminalInteraction hello\n",
        "terminalInteraction bye\n",
        "completed",
      ]);
    },
    skip,
  );

  verifies(
    "engine.exec.pipes-have-no-input",
    "refuses input without a terminal, but Ctrl-C interrupts the command",
    async () => {
      await using place = await world([
        exec("trap 'echo caught; exit 5' INT; while :; do sleep 0.05; done", { yield_time_ms: 250 }),
        write("x\n"),
        write("\u0003", { yield_time_ms: 30_000 }),
      ]);
      const outputs = await place.turn();
      expect(outputs[1]).toBe(
        "write_stdin failed: stdin is closed for this session; rerun exec_command with tty=true to keep stdin open",
      );
      expect(outputs[2]).toContain("Process exited with code 5");
      expect(outputs[2]).toContain("caught");
    },
    skip,
  );
});

describe("background", () => {
  verifies(
    "engine.exec.background",
    "lists, terminates and cleans the sessions that run",
    async () => {
      await using place = await world([
        [1, 2, 3].map((n) => exec(`echo ${n}; sleep 600`, { yield_time_ms: 250 })),
      ]);
      const { client, threadId } = place;
      await place.turn();
      type Listed = {
        data: { processId: string; command: string; itemId: string }[];
        nextCursor: string | null;
      };
      const list = async (params = {}): Promise<Listed> =>
        (await client.ask("thread/backgroundTerminals/list", { threadId, ...params })).result as Listed;
      const { data, nextCursor } = await list();
      expect(data.map(({ command }) => command).toSorted()).toEqual([
        "echo 1; sleep 600",
        "echo 2; sleep 600",
        "echo 3; sleep 600",
      ]);
      expect(nextCursor).toBe(null);
      const first = await list({ limit: 2 });
      expect(first.data).toEqual(data.slice(0, 2));
      expect((await list({ limit: 2, cursor: first.nextCursor })).data).toEqual(data.slice(2));
      expect(
        (await client.ask("thread/backgroundTerminals/list", { threadId, cursor: "zz" })).error?.message,
      ).toBe("invalid cursor: invalid digit found in string");
      const terminate = (processId: string): Promise<unknown> =>
        client.ask("thread/backgroundTerminals/terminate", { threadId, processId });
      expect(await terminate("1")).toMatchObject({ result: { terminated: false } });
      expect(await terminate("xx")).toMatchObject({
        error: { message: "invalid background terminal process id: invalid digit found in string" },
      });
      expect(await terminate(data[0]?.processId ?? "")).toMatchObject({ result: { terminated: true } });
      expect(await place.command()).toMatchObject({ id: data[0]?.itemId, status: "failed", exitCode: -1 });
      await client.ask("thread/backgroundTerminals/clean", { threadId });
      expect(await place.command(3)).toMatchObject({ status: "failed", exitCode: -1 });
      expect((await list()).data).toEqual([]);
      await emptied(place.folder);
    },
    { skip: unlessLinux },
  );

  verifies(
    "engine.exec.interrupt",
    "keeps a command running when its turn is interrupted, and ends it with its thread or its server",
    async () => {
      for (const end of ["archive", "close"] as const) {
        await using place = await world([exec("echo up; sleep 600", { yield_time_ms: 30_000 })]);
        const { client, threadId } = place;
        const turnId = await place.start();
        await client.told("item/commandExecution/outputDelta");
        await client.ask("turn/interrupt", { threadId, turnId });
        await client.told("turn/completed");
        expect(place.completedCommands()).toEqual([]);
        expect((await processesIn(place.folder)).length).toBeGreaterThan(0);
        if (end === "close") await place.server.close();
        else {
          await client.ask("thread/archive", { threadId });
          expect(place.completedCommands()).toMatchObject([{ exitCode: -1, aggregatedOutput: "up\n" }]);
        }
        await emptied(place.folder);
      }
    },
    { skip: unlessLinux },
  );

  verifies(
    "engine.exec.sessions-bounded",
    "ends the oldest of more than 64 sessions, but none of the last eight",
    async () => {
      const calls = Array.from({ length: 67 }, (_, n) =>
        exec(`echo ${n}; exec sleep 600`, { yield_time_ms: 250 }),
      );
      await using place = await world([calls]);
      const { client, threadId } = place;
      await place.turn();
      const { data } = (await client.ask("thread/backgroundTerminals/list", { threadId })).result as {
        data: Item[];
      };
      expect(data.length).toBe(64);
      await place.command(3);
      const ended = place.completedCommands().map(({ id }) => id);
      expect(new Set(ended)).toEqual(new Set(["c0-0", "c0-1", "c0-2"]));
      await place.server.close();
      await emptied(place.folder);
    },
    { skip: unlessLinux, timeoutMs: 120_000 },
  );
});

describe("the user's shell", () => {
  verifies(
    "engine.exec.user-shell",
    "runs a command of the user: its output, its time limit and its interrupt",
    async () => {
      await using place = await world([]);
      const { client, threadId } = place;
      const run = (command: string, more = {}): Promise<unknown> =>
        client.ask("thread/shellCommand", { threadId, command, ...more });
      await run("echo out; exit 3");
      expect(await place.command()).toMatchObject({
        source: "userShell",
        exitCode: 3,
        aggregatedOutput: "out\n",
        processId: null,
      });
      await client.told("turn/completed");
      await run("echo up; sleep 600", { timeoutMs: 300 });
      expect(await place.command(2)).toMatchObject({
        exitCode: -1,
        status: "failed",
        aggregatedOutput: "execution error: the command timed out after 300 ms",
      });
      await client.told("turn/completed", 2);
      await run("echo up; sleep 600");
      await client.told("item/started", 3);
      const { params } = await client.told("turn/started", 3);
      const { id } = (params as { turn: { id: string } }).turn;
      await client.ask("turn/interrupt", { threadId, turnId: id });
      expect(await place.command(3)).toMatchObject({
        exitCode: -1,
        aggregatedOutput: "command aborted by user",
      });
      expect(await run("x", { timeoutMs: -5 })).toMatchObject({ error: { code: -32602 } });
      expect(await run("  ")).toMatchObject({ error: { code: -32600 } });
      await emptied(place.folder);
    },
    { skip: unlessLinux },
  );
});
