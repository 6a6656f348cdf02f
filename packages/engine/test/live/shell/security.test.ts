import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect } from "vitest";
import fc from "fast-check";
import type { ResolvedPolicy, Sandbox, ShellCommand } from "@codexwright/engine";
import { engineDefaults, nodeShell, type ShellEnvironmentPolicy } from "@codexwright/engine/node";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { emptied, Output, processesIn, testShell } from "./shells.ts";
import { exec, world, write } from "./turns.ts";

const linux = { skip: unlessLinux };
const terminal = { rows: 24, cols: 80 };

describe("S68", () => {
  verifies(
    "security.s68",
    "keeps a bounded part of a flood, in time that is linear",
    async () => {
      const flood = async (
        script: string,
        args = {},
      ): Promise<{ ms: number; bytes: number; deltas: number }> => {
        await using place = await world([exec(script, { yield_time_ms: 30_000, ...args })]);
        const began = performance.now();
        await place.start();
        await place.client.told("turn/completed");
        const item = await place.command();
        const deltas = place.client.methods.filter((name) => name.endsWith("outputDelta")).length;
        return { ms: performance.now() - began, bytes: String(item["aggregatedOutput"]).length, deltas };
      };
      const head = (size: string): string => `head -c ${size} /dev/zero | tr '\\0' x`;
      const before = process.memoryUsage().rss;
      const small = await flood(head("16M"));
      const large = await flood(head("128M"));
      const kept = 1024 * 1024 + 64;
      for (const each of [small, large]) expect(each.bytes).toBeLessThan(kept);
      expect(large.deltas).toBeLessThanOrEqual(10_000);
      // Quadratic work would take 64 times as long. The bound is loose, because the machine may be loaded.
      expect(large.ms).toBeLessThan(32 * Math.max(small.ms, 50));
      expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
      // Both streams, a terminal, and many pieces of one byte.
      const pieces = await Promise.all([
        flood(`${head("4M")} >&2; ${head("4M")}`),
        flood(head("4M"), { tty: true }),
        flood("for ((n = 0; n < 20000; n++)); do printf x; done"),
      ]);
      for (const { bytes } of pieces) expect(bytes).toBeLessThan(kept);
    },
    { ...linux, timeoutMs: 120_000 },
  );

  verifies(
    "security.s68",
    "keeps a bounded part of a flood that a client buffers or streams",
    async () => {
      await using place = await world([]);
      const command = ["/bin/bash", "-c", "head -c 64M /dev/zero; head -c 64M /dev/zero >&2"];
      const capped = await place.client.ask("command/exec", { command, timeoutMs: 60_000 });
      expect((capped.result as { stdout: string }).stdout.length).toBe(1024 * 1024);
      const params = { command, disableOutputCap: true, timeoutMs: 60_000 };
      const { result } = await place.client.ask("command/exec", params);
      const { stdout, stderr } = result as { stdout: string; stderr: string };
      expect([stdout.length, stderr.length]).toEqual([32 * 1024 * 1024, 32 * 1024 * 1024]);
    },
    { ...linux, timeoutMs: 120_000 },
  );

  verifies(
    "security.s68",
    "refuses input for a terminal that nothing reads, and still ends its command",
    async () => {
      const chars = "x".repeat(5 * 1024 * 1024);
      await using place = await world([
        exec("stty raw -echo; echo up; exec sleep 600", { tty: true, yield_time_ms: 250 }),
        write(chars),
        write("\u0003"),
      ]);
      const outputs = await place.turn();
      expect(outputs[1]).toContain("write_stdin failed: the command does not read its stdin");
      await place.client.ask("thread/backgroundTerminals/clean", { threadId: place.threadId });
      expect(await place.command()).toMatchObject({ exitCode: -1 });
      await emptied(place.folder);
    },
    linux,
  );
});

describe("S69", () => {
  const LASTING = [
    "trap '' TERM INT HUP QUIT; echo up; while :; do sleep 600; done",
    "setsid sleep 600 & echo up; sleep 600",
    "setsid bash -c 'setsid sleep 600 & disown; exec sleep 600' & echo up; sleep 600",
    "(trap '' HUP TERM; exec >&- 2>&-; sleep 600) & echo up; exec >&- 2>&-; sleep 600",
    "for n in 1 2 3 4 5 6 7 8; do (setsid bash -c 'sleep 600 & sleep 600') & done; echo up; wait",
    "nohup sleep 600 >/dev/null 2>&1 & echo up; sleep 600",
  ];

  verifies(
    "security.s69",
    "ends everything with the session, the thread, the connection and the server",
    async () => {
      for (const end of ["clean", "archive", "hangUp", "close"] as const) {
        const calls = LASTING.flatMap((script) => [
          exec(script, { yield_time_ms: 250 }),
          exec(script, { yield_time_ms: 250, tty: true }),
        ]);
        await using place = await world([calls]);
        const { client, threadId, folder } = place;
        await place.turn();
        const params = { command: ["/bin/bash", "-c", LASTING[1]], cwd: folder };
        await client.ask("process/spawn", { ...params, processHandle: "h", timeoutMs: null });
        client.write({ id: "x", method: "command/exec", params: { ...params, disableTimeout: true } });
        const started = (await processesIn(folder)).length;
        expect(started).toBeGreaterThan(calls.length);
        if (end === "clean") await client.ask("thread/backgroundTerminals/clean", { threadId });
        if (end === "archive") await client.ask("thread/archive", { threadId });
        await (end === "close" ? place.server.close() : client.hangUp());
        if (end === "hangUp") await place.server.close();
        await emptied(folder);
      }
    },
    { ...linux, timeoutMs: 120_000 },
  );

  verifies(
    "security.s69",
    "would fail without the search: killing the group leaves processes",
    async () => {
      await using place = await testShell();
      const script = "setsid bash -c 'echo up; exec sleep 600' & sleep 600";
      const child = spawn("/bin/bash", ["-c", script], {
        cwd: place.folder,
        detached: true,
        stdio: ["ignore", "pipe", "ignore"],
      });
      await once(child.stdout, "data");
      process.kill(-(child.pid ?? 0), "SIGKILL");
      await once(child, "exit");
      const left = await processesIn(place.folder);
      for (const pid of left) process.kill(pid, "SIGKILL");
      expect(left.length).toBeGreaterThan(0);
    },
    linux,
  );

  verifies(
    "security.s69",
    "ends a command whose group is killed from outside, and one that ended before it was read",
    async () => {
      await using place = await testShell();
      for (const more of [{}, { terminal }]) {
        const { child, output } = await place.start("echo up; sleep 600", more);
        await output.contains("up");
        process.kill(-(child.pid ?? 0), "SIGKILL");
        expect(await child.exited).toBe(137);
        child.resize?.({ rows: 5, cols: 5 });
        child.signal?.("SIGINT");
        child.kill();
      }
      const all = await Promise.all(Array.from({ length: 20 }, () => place.run("echo done; exit 9")));
      for (const each of all) expect(each).toMatchObject({ exitCode: 9, stdout: "done\n" });
    },
    linux,
  );
});

describe("S70", () => {
  const SECRET = "sk-secret-of-the-provider";

  verifies(
    "security.s70",
    "keeps the provider's keys out of every environment, under any policy",
    async () => {
      const name = fc
        .stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/)
        .filter((each) => !/^(PATH|HOME|IFS)$/i.test(each));
      const policy: fc.Arbitrary<ShellEnvironmentPolicy> = fc.record({
        inherit: fc.constantFrom("all", "core", "none"),
        ignoreDefaultExcludes: fc.boolean(),
        exclude: fc.array(fc.constantFrom("P*", "?A*", "*"), { maxLength: 1 }),
        includeOnly: fc.array(fc.constantFrom("*", "*KEY*", "O*"), { maxLength: 1 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 4 }), policy, async (names, rules) => {
          const keys = [...names, "OPENAI_API_KEY", "codex_api_key", "CODEX_ACCESS_TOKEN"];
          const env = { ...process.env, ...Object.fromEntries(keys.map((each) => [each, SECRET])) };
          const secrets = names.map((each) => each.toLowerCase());
          await using place = await testShell({ env, policy: rules, secrets });
          const script =
            "/usr/bin/tr '\\0' '\\n' < /proc/self/environ; compgen -v | while read -r n; do echo ${!n}; done";
          const { stdout } = await place.run(script);
          expect(stdout).not.toContain(SECRET);
        }),
        { seed: 70, numRuns: 15 },
      );
    },
    { ...linux, timeoutMs: 120_000 },
  );

  verifies(
    "security.s70",
    "keeps the provider's keys out of commands of the model, the user and clients",
    async () => {
      // Without a profile of the user, which may take long.
      const env = { ...process.env, HOME: "/nonexistent", MINE: SECRET, OPENAI_API_KEY: SECRET };
      const shell = nodeShell({
        env: { ...env, BASH_ENV: undefined },
        secrets: ["MINE"],
        program: "/bin/bash",
      });
      const print = "echo start; env; cat /proc/self/environ | tr '\\0' '\\n'";
      await using place = await world([[exec(print), exec(print, { tty: true, login: true })]], { shell });
      const { client, folder, threadId } = place;
      const outputs = await place.turn();
      await client.ask("thread/shellCommand", { threadId, command: print });
      await place.command(3);
      const command = ["/bin/bash", "-c", print];
      outputs.push(JSON.stringify(await client.ask("command/exec", { command })));
      await client.ask("process/spawn", { command, processHandle: "h", cwd: folder });
      outputs.push(JSON.stringify((await client.told("process/exited")).params));
      expect(outputs.every((text) => text.includes("PATH="))).toBe(true);
      expect(client.lines.join("\n")).not.toContain(SECRET);
      expect(outputs.join("\n")).not.toContain(SECRET);
    },
    linux,
  );
});

verifies(
  ["security.s70", "engine.commands.settings"],
  "reads the policy and the names of keys from config.toml",
  async () => {
    await using place = await testShell();
    const config = [
      '[shell_environment_policy]\nexclude = ["hidden*"]\nset = { ADDED = "yes" }',
      '[model_providers.mine]\nbase_url = "http://127.0.0.1:9"\nenv_key = "MINE"\nenv_http_headers = { x = "HEADER" }',
    ];
    await writeFile(path.join(place.folder, "config.toml"), config.join("\n"));
    const env = { MINE: "sk-1", HEADER: "sk-2", HIDDEN_ONE: "sk-3", SHOWN: "shown" };
    const { shell } = await engineDefaults({ home: place.folder, cwd: place.folder, env });
    const output = new Output();
    const argv = ["/usr/bin/env"];
    const child = await shell.start({ argv, cwd: place.folder, onData: output.add });
    await child.exited;
    await shell.close?.();
    expect(output.stdout).toContain("SHOWN=shown");
    expect(output.stdout).toContain("ADDED=yes");
    expect(output.stdout).not.toContain("sk-");
  },
  linux,
);

describe("S71", () => {
  /** A sandbox that only counts, and refuses in the way that is asked for. */
  function sandboxOf(
    kind: "missing" | "refusing" | "working",
  ): Sandbox & { readonly wrapped: ResolvedPolicy[] } {
    const wrapped: ResolvedPolicy[] = [];
    return {
      wrapped,
      status: () =>
        Promise.resolve(
          kind === "missing" ? { ready: false, why: "bubblewrap is missing" } : { ready: true },
        ),
      wrap: (command: ShellCommand, policy: ResolvedPolicy) => {
        wrapped.push(policy);
        if (kind === "refusing") return Promise.reject(new Error("cannot wrap it"));
        return Promise.resolve({ command, release: () => Promise.resolve() });
      },
    };
  }

  verifies(
    "security.s71",
    "never runs a command bare that its policy wants confined",
    async () => {
      for (const kind of ["missing", "refusing", "working"] as const) {
        for (const sandboxMode of ["read-only", "workspace-write"] as const) {
          const sandbox = sandboxOf(kind);
          const config = { model: "own-model", sandboxMode, approvalPolicy: "never" as const };
          const calls = ["touch ran", "touch ran;", "(touch ran)", "env touch ran", "sh -c 'touch ran'"];
          const tools = calls.flatMap((script) => [exec(script), exec(script, { tty: true })]);
          await using place = await world(
            [...tools, exec("touch ran", { sandbox_permissions: "require_escalated" })],
            {
              sandbox,
              config,
            },
          );
          const outputs = await place.turn();
          const own = { command: ["touch", "ran"] };
          const answers = [
            await place.client.ask("command/exec", own),
            await place.client.ask("command/exec", { ...own, sandboxPolicy: { type: "readOnly" } }),
            await place.client.ask("command/exec", { ...own, permissionProfile: ":workspace" }),
          ];
          const { result } = await place.client.ask("command/exec", {
            command: ["ls"],
            sandboxPolicy: { type: "dangerFullAccess" },
          });
          const files = (result as { stdout: string }).stdout.split("\n");
          expect(files.includes("ran")).toBe(kind === "working");
          if (kind === "working") {
            expect(sandbox.wrapped.length).toBe(tools.length + answers.length);
          } else {
            expect(outputs.every((text) => text.includes("failed"))).toBe(true);
            expect(answers.every(({ error }) => error !== undefined)).toBe(true);
          }
        }
      }
    },
    { ...linux, timeoutMs: 120_000 },
  );

  verifies(
    "security.s71",
    "reports a lack of file descriptors as resource_exhausted, and starts commands again when there are some",
    async () => {
      const lib = path.resolve(import.meta.dirname, "../../../dist/lib");
      const run = [process.execPath, path.join(import.meta.dirname, "starve.mjs"), lib];
      const limited = ["-c", 'ulimit -n 64; exec "$@"', "bash", ...run];
      const { stdout } = await promisify(execFile)("/bin/bash", limited, { cwd: "/" });
      const results = JSON.parse(stdout) as string[];
      expect(results.slice(0, 2)).toEqual(["exit 0", "exit 0"]);
      expect(results.at(-1)).toBe("exit 0");
      const starved = results.slice(2, -1);
      expect(starved[0]).toBe("resource_exhausted");
      for (const each of starved) expect(["resource_exhausted", "exit 0"]).toContain(each);
    },
    linux,
  );
});
