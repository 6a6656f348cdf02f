import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { renameSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { killAll, processesOf } from "@codexwright/test-support/world";
import { until } from "@codexwright/test-support/events";
import { reaper } from "@codexwright/test-support/reaper";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeCodex, guarded, guards, read, statOf, variableOf, wordsOf } from "./guarded.ts";

/** Processes that a server may have started, each protected in a way that usually keeps it alive. */
const SHAPES = [
  "sleep 600 &",
  "(sleep 600 & sleep 600 & wait) &",
  `(trap "" TERM HUP INT; sleep 600; sleep 600) &`,
  "setsid sleep 600 &",
  "nohup setsid sleep 600 >/dev/null 2>&1 &",
  `(setsid sh -c "sleep 600 & exec sleep 600" &)`,
  // Forks constantly, and starts another program late.
  `(setsid sh -c "while :; do sleep 0.002; done" &)`,
  `(setsid sh -c "sleep 0.05; exec setsid sleep 600" &)`,
];

type World = Awaited<ReturnType<typeof guarded>>;

const guardOf = async (world: World): Promise<number> => {
  await until(() => world.guard() !== undefined);
  return world.guard() as number;
};

/** Ways in which a server ends. */
const ENDS: Readonly<Record<string, (world: World) => Promise<void>>> = {
  "the server is killed": async (world) => killAll([world.server()]),
  "the server and its guard are killed at the same time": async (world) =>
    killAll([await guardOf(world), world.server()]),
  "the guard is killed, then the server": async (world) => {
    const first = await guardOf(world);
    killAll([first]);
    await until(() => ![undefined, first].includes(world.guard()));
    killAll([world.server()]);
  },
  "the guard is stopped, and the server killed": async (world) => {
    killAll([await guardOf(world)], "SIGSTOP");
    killAll([world.server()]);
  },
  "the guard cannot start a program, and the server is killed": async (world) => {
    execFileSync("prlimit", ["--pid", `${await guardOf(world)}`, "--nofile=0:0"]);
    killAll([world.server()]);
  },
  "the transport is closed": (world) => world.transport.close(),
};

describe("on Linux", () => {
  for (const [title, end] of Object.entries(ENDS)) {
    verifies(
      "security.s41",
      `every process that a server has started is gone after ${title}`,
      async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.uniqueArray(fc.constantFrom(...SHAPES), { minLength: 1, maxLength: 4 }),
            async (shapes) => {
              await using world = await guarded(shapes.join("\n"));
              expect(world.all().length).toBeGreaterThan(0);
              await end(world);
              await world.closed;
              await until(() => world.all().length === 0);
              await until(() => world.guard() === undefined);
            },
          ),
          { numRuns: 4, seed: 41 },
        );
      },
      { skip: unlessLinux },
    );
  }

  verifies(
    "security.s41",
    "finds a process in the server's session that has neither CODEXWRIGHT_GUARD nor the server's group",
    async () => {
      // Codex starts MCP servers in this way. Job control puts the child into its own group.
      await using world = await guarded("env -u CODEXWRIGHT_GUARD bash -c 'set -m; sleep 600 & wait' &");
      const sleeping = (): number | undefined => world.all().find((pid) => wordsOf(pid)[0] === "sleep");
      await until(() => sleeping() !== undefined);
      const [, , group, session] = statOf(sleeping() as number);
      expect([group, session]).toEqual([`${sleeping()}`, `${world.server()}`]);
      killAll([world.server()]);
      await until(() => world.all().length === 0);
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s41",
    "a process in another session without CODEXWRIGHT_GUARD is not found and survives",
    async () => {
      await using world = await guarded("env -u CODEXWRIGHT_GUARD setsid sleep 600 &\nsetsid sleep 600 &");
      const sleeping = (): readonly number[] => world.all().filter((pid) => wordsOf(pid)[0] === "sleep");
      await until(() => sleeping().length === 2);
      killAll([world.server()]);
      await world.transport.close();
      await until(() => sleeping().length === 1);
      expect(sleeping().map((pid) => variableOf(pid, "CODEXWRIGHT_GUARD"))).toEqual([undefined]);
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s41",
    "the guard has its own session and ignores signals to the server's session",
    async () => {
      await using world = await guarded("");
      const guard = await guardOf(world);
      const IGNORED = 0x4007n; // HUP, INT, QUIT and TERM.
      const ignored = (): bigint => BigInt(`0x${/SigIgn:\s*(\w+)/.exec(read(guard, "status"))?.[1] ?? 0}`);
      await until(() => (ignored() & IGNORED) === IGNORED);
      const [, , group, session] = statOf(guard);
      expect([group, session]).toEqual([`${guard}`, `${guard}`]);
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s41",
    "leaves nothing when the group of the owner is killed, even with nested servers",
    async () => {
      using inner = fakeCodex(`setsid sleep 600 &\n(trap "" TERM; sleep 600) &`);
      const owner = (codexPath: string): string => `
      import { stdio } from "codexwright/stdio";
      const transport = await stdio({ codexPath: ${JSON.stringify(codexPath)} })(new AbortController().signal);
      transport.open({ line: () => console.log("ready"), closed: () => {} });
      setInterval(() => {}, 60_000);
    `;
      // The server of the outer owner runs another owner with its own server, as a command might.
      const quoted = owner(inner.file).replaceAll("'", String.raw`'\''`);
      using outer = fakeCodex(
        `cd '${import.meta.dirname}' && '${process.execPath}' --input-type=module -e '${quoted}' &`,
      );
      const tag = `GUARDED_${randomUUID()}`;
      await using _rest = reaper(tag);
      const child = spawn(process.execPath, ["--input-type=module", "-e", owner(outer.file)], {
        cwd: import.meta.dirname,
        env: { ...process.env, TAG: tag },
        stdio: ["ignore", "pipe", "inherit"],
        detached: true,
      });
      const all = (): readonly number[] => processesOf(tag);
      await until(() => all().filter((pid) => wordsOf(pid)[0] === "sleep").length === 2);
      await until(() => all().flatMap(guards).length === 2);
      process.kill(-(child.pid as number), "SIGKILL");
      await once(child, "exit");
      await until(() => all().length === 0);
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s41",
    "leaves nothing when the owner ends during the start of a server that reads nothing",
    async () => {
      using codex = fakeCodex("exec sleep 600");
      const tag = `GUARDED_${randomUUID()}`;
      await using _rest = reaper(tag);
      const program = `
      import { stdio } from "codexwright/stdio";
      await stdio({ codexPath: ${JSON.stringify(codex.file)} })(new AbortController().signal);
      process.exit();
    `;
      const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
        cwd: import.meta.dirname,
        env: { ...process.env, TAG: tag },
        stdio: "inherit",
      });
      await once(child, "exit");
      await until(() => processesOf(tag).length === 0);
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s41",
    "leaves nothing when the owner and the server are killed while a killed guard is replaced",
    async () => {
      // The child does not have CODEXWRIGHT_GUARD in its environment, so the new guard can find it only by the server's
      // session, and needs the server's pid for that.
      using codex = fakeCodex("env -u CODEXWRIGHT_GUARD bash -c 'set -m; sleep 600 & wait' &");
      const tag = `GUARDED_${randomUUID()}`;
      await using _rest = reaper(tag);
      const program = `
      import { ChildProcess } from "node:child_process";
      import { stdio } from "codexwright/stdio";
      const { spawn } = ChildProcess.prototype;
      const pids = [];
      ChildProcess.prototype.spawn = function (...args) {
        const result = Reflect.apply(spawn, this, args);
        pids.push(this.pid);
        if (pids.length === 3) for (const pid of [pids[1], process.pid]) process.kill(pid, "SIGKILL");
        return result;
      };
      const transport = await stdio({ codexPath: ${JSON.stringify(codex.file)} })(new AbortController().signal);
      transport.open({ line: () => console.log("ready"), closed: () => {} });
      setInterval(() => {}, 60_000);
    `;
      const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
        cwd: import.meta.dirname,
        env: { ...process.env, TAG: tag },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = once(child, "exit");
      const all = (): readonly number[] => processesOf(tag);
      await until(() => all().some((pid) => wordsOf(pid)[0] === "sleep"));
      await until(() => guards(child.pid as number).length === 1);
      killAll(guards(child.pid as number));
      await ended;
      await until(() => all().length === 0);
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s41",
    "finds a process in the server's session whatever its name is",
    async () => {
      // The kernel writes the name unescaped in the middle of the line that the guard reads.
      await using world = await guarded(`
      program="\${0%/*}/a\nb) S 1 "
      ln -s "$(command -v sleep)" "$program"
      env -u CODEXWRIGHT_GUARD bash -c 'set -m; "$0" 600 & wait' "$program" &`);
      const isNamed = (pid: number): boolean => read(pid, "stat").includes("(a\nb) S 1 )");
      await until(() => world.all().some(isNamed));
      killAll([world.server()]);
      await until(() => world.all().length === 0);
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s41",
    "a guard ignores a grep that comes first on PATH",
    async () => {
      using other = fakeCodex("exit 1");
      const folder = path.dirname(other.file);
      renameSync(other.file, path.join(folder, "grep"));
      const { PATH = "" } = process.env;
      process.env["PATH"] = `${folder}:${PATH}`;
      try {
        await using world = await guarded("setsid sleep 600 &");
        await world.transport.close();
        expect(world.all()).toEqual([]);
      } finally {
        process.env["PATH"] = PATH;
      }
    },
    { skip: unlessLinux },
  );
});
