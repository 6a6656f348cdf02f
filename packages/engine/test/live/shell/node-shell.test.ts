import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect } from "vitest";
import { CommandStartError } from "@codexwright/engine";
import { rejection } from "@codexwright/test-support/events";
import { onWindows, unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { emptied, processesIn, testShell } from "./shells.ts";

describe("pipes", () => {
  verifies(
    "engine.commands.output",
    "reads both streams, the exit code and bytes of any value",
    async () => {
      await using world = await testShell();
      const run = (script: string): Promise<unknown> => world.run(script);
      expect(await run("echo out; echo err >&2; exit 3")).toEqual({
        exitCode: 3,
        stdout: "out\n",
        stderr: "err\n",
      });
      expect(await run("kill -9 $$")).toMatchObject({ exitCode: 137 });
      expect(await run("kill -TERM $$")).toMatchObject({ exitCode: 143 });
      const { child, output } = await world.start(
        String.raw`printf '\0\1\377\200'; head -c 300000 /dev/zero`,
      );
      expect(await child.exited).toBe(0);
      expect(output.bytes).toBe(300_004);
    },
    { skip: onWindows },
  );

  verifies(
    "engine.commands.stdin",
    "has an empty stdin, or one that takes bytes until it is closed",
    async () => {
      await using world = await testShell();
      expect(await world.run("cat; echo end")).toMatchObject({ stdout: "end\n" });
      const { child, output } = await world.start("cat; echo end", { stdin: true });
      await child.write(Buffer.from("one\n"));
      await output.contains("one");
      await child.write(Buffer.from("two\n"));
      child.end();
      expect(await child.exited).toBe(0);
      expect(output.stdout).toBe("one\ntwo\nend\n");
      await child.write(Buffer.from("late"));
    },
    { skip: onWindows },
  );

  verifies(
    "engine.commands.stdin-bounded",
    "refuses more input for a command that does not read, and writing never ends the server",
    async () => {
      await using world = await testShell();
      const { child } = await world.start("sleep 600", { stdin: true });
      const piece = new Uint8Array(1024 * 1024);
      const writes: Promise<unknown>[] = [];
      for (let n = 0; n < 20; n++) writes.push(child.write(piece).catch((error: unknown) => error));
      const refused = (await Promise.race([Promise.any(writes.slice(10)), child.exited])) as {
        code?: string;
      };
      expect(refused.code).toBe("stdin_full");
      child.kill();
      expect(await child.exited).toBe(137);
      await Promise.all(writes);
      const { child: closed } = await world.start("exec <&-; echo closed; sleep 600", { stdin: true });
      for (let n = 0; n < 5; n++) await closed.write(Buffer.from("x".repeat(1000)));
      closed.kill();
      await closed.exited;
    },
    { skip: onWindows },
  );
});

describe("starts", () => {
  verifies(
    "engine.commands.start-errors",
    "reports a start that the system refuses, with the words of the system",
    async () => {
      await using world = await testShell();
      const file = path.join(world.folder, "plain.txt");
      await writeFile(file, "text");
      const refused = async (argv: readonly string[], cwd = world.folder, tty = false): Promise<string> => {
        const terminal = tty ? { terminal: { rows: 24, cols: 80 } } : {};
        const error = await rejection(world.shell.start({ argv, cwd, onData: () => {}, ...terminal }));
        expect(error).toBeInstanceOf(CommandStartError);
        return (error as Error).message;
      };
      for (const tty of [false, true]) {
        expect(await refused(["/nonesuch"], world.folder, tty)).toBe(
          "No such file or directory (os error 2)",
        );
        expect(await refused(["nonesuch-program"], world.folder, tty)).toContain("(os error 2)");
        expect(await refused(["/bin/true"], "/nonesuch", tty)).toContain("(os error 2)");
        expect(await refused([file], world.folder, tty)).toBe("Permission denied (os error 13)");
        expect(await refused(["/bin/echo", "a".repeat(200_000)], world.folder, tty)).toContain(
          "(os error 7)",
        );
        expect(await refused(["/bin/echo", "a\0b"], world.folder, tty)).toBe(
          "nul byte found in provided data",
        );
      }
      await world.shell.close?.();
      expect(await refused(["/bin/true"])).toBe("the shell has closed");
    },
    { skip: unlessLinux },
  );
});

describe("environment", () => {
  const env = {
    PATH: process.env["PATH"],
    HOME: "/h",
    PLAIN: "1",
    MY_TOKEN: "t",
    OPENAI_API_KEY: "sk-1",
    MINE_KEY: "k",
  };
  verifies(
    "engine.commands.environment",
    "builds the environment by the policy",
    async () => {
      const names = async (options: Parameters<typeof testShell>[0]): Promise<string[]> => {
        await using world = await testShell({ env, ...options });
        const { stdout } = await world.run("compgen -e");
        return stdout.split("\n").filter((name) => /^(HOME|PLAIN|MY_|MINE|OPENAI|ADDED)/.test(name));
      };
      expect(await names({})).toEqual(["HOME", "MINE_KEY", "MY_TOKEN", "PLAIN"]);
      expect(await names({ policy: { inherit: "core" } })).toEqual(["HOME"]);
      expect(await names({ policy: { inherit: "none", set: { ADDED: "x" } } })).toEqual(["ADDED"]);
      expect(await names({ policy: { ignoreDefaultExcludes: false } })).toEqual(["HOME", "PLAIN"]);
      expect(await names({ policy: { exclude: ["pl?in", "m*"] } })).toEqual(["HOME"]);
      expect(await names({ policy: { includeOnly: ["H*"], set: { ADDED: "x" } } })).toEqual(["HOME"]);
      expect(await names({ secrets: ["mine_key"] })).toEqual(["HOME", "MY_TOKEN", "PLAIN"]);
    },
    { skip: onWindows },
  );
});

describe("terminals", () => {
  const terminal = { rows: 10, cols: 40 };

  verifies(
    "engine.commands.terminal",
    "runs a command in a terminal: size, input, control characters, resize and exit code",
    async () => {
      await using world = await testShell();
      const script =
        "stty size; trap 'echo resized; stty size' WINCH; trap 'echo caught; exit 5' INT; while :; do read -r line && echo got $line; done";
      const { child, output } = await world.start(script, { terminal });
      await output.contains("10 40");
      await child.write(Buffer.from("hello\n"));
      await output.contains("got hello");
      child.resize?.({ rows: 33, cols: 44 });
      await child.write(Buffer.from("\n"));
      await output.contains("33 44");
      await child.write(Buffer.from("\u0003"));
      expect(await child.exited).toBe(5);
      expect(output.stdout).toContain("caught");
      child.resize?.({ rows: 1, cols: 1 });
      await child.write(Buffer.from("late"));
      const ended = await world.start("exit 7", { terminal });
      expect(await ended.child.exited).toBe(7);
      const killed = await world.start("echo up; sleep 600", { terminal });
      await killed.output.contains("up");
      killed.child.kill();
      expect(await killed.child.exited).toBe(137);
    },
    { skip: onWindows },
  );
});

describe("the end of a terminal", () => {
  verifies(
    "engine.commands.terminal",
    "returns everything that a program writes immediately before it ends",
    async () => {
      await using world = await testShell();
      const outputs = new Set<string>();
      const lane = async (): Promise<void> => {
        for (let n = 0; n < 75; n++) {
          const { child, output } = await world.start("read a; echo got $a; read b; echo end $b", {
            terminal: { rows: 10, cols: 40 },
          });
          await child.write(Buffer.from("1\n"));
          await output.contains("got 1");
          await child.write(Buffer.from("2\n"));
          await child.exited;
          outputs.add(output.stdout.split("\r\n").at(-2) ?? "");
        }
      };
      await Promise.all(Array.from({ length: 4 }, lane));
      expect([...outputs]).toEqual(["end 2"]);
    },
    { skip: onWindows, timeoutMs: 60_000 },
  );
});

describe("ends", () => {
  const DAEMONS = [
    "sleep 600 & echo up",
    "setsid sleep 600 & echo up",
    "(setsid sleep 600 >/dev/null 2>&1 </dev/null & ) & echo up",
    "trap '' TERM INT HUP; (trap '' TERM INT HUP; setsid sleep 600 >&- 2>&-) & echo up; sleep 600",
    "echo up; exec sleep 600",
  ];

  verifies(
    "engine.commands.leftovers",
    "ends although a process that it left behind holds its pipes, and kills the rest of its group",
    async () => {
      await using world = await testShell();
      const { child, output } = await world.start("sleep 600 & echo up");
      expect(await child.exited).toBe(0);
      expect(output.stdout).toBe("up\n");
      expect(child.outputCut).toBe(true);
      await emptied(world.folder);
    },
    { skip: unlessLinux },
  );

  verifies(
    "engine.commands.kill",
    "kills everything that a command started, in whatever session it is",
    async () => {
      await using world = await testShell();
      for (const script of DAEMONS) {
        for (const more of [{}, { terminal: { rows: 24, cols: 80 } }]) {
          const { child, output } = await world.start(`${script}; sleep 600`, more);
          await output.contains("up");
          child.kill();
          await child.exited;
          await emptied(world.folder);
        }
      }
    },
    { skip: unlessLinux },
  );

  verifies(
    "engine.commands.close",
    "leaves no process when the shell closes, and starts none afterwards",
    async () => {
      await using world = await testShell();
      for (const script of DAEMONS) await (await world.start(script)).output.contains("up");
      const late = world.start("sleep 600").catch(() => {});
      await world.shell.close?.();
      await late;
      expect(await processesIn(world.folder)).toEqual([]);
    },
    { skip: unlessLinux },
  );
});
