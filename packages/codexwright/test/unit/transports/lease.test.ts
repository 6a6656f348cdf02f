import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { wireScript } from "@codexwright/testing";
import { CodexClient } from "codexwright";
import type { CloseReason } from "codexwright/rpc";
import { LeaseEndedError, ServerLease, stdio } from "codexwright/stdio";
import { killAll, processesOf } from "@codexwright/test-support/world";
import { rejection, until } from "@codexwright/test-support/events";
import { reaper } from "@codexwright/test-support/reaper";
import { unlessLinux, onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { guards, statOf, wordsOf } from "./guarded.ts";

const never = new AbortController().signal;
const LONG_MS = 600_000;

/** A server that answers nothing, and the processes that it starts. Some of them ignore SIGTERM. */
const SCRIPTS = [
  "",
  "trap '' TERM; ",
  "sleep 600 & sleep 600 & ",
  "(trap '' TERM HUP INT; sleep 600; sleep 600) & ",
  "setsid sleep 600 & ",
  "(while :; do sleep 0.002; done) & ",
];

/** Starts a server of shell text with a lease. */
async function leased(lease: ServerLease | undefined, script: string) {
  const tag = `LEASED_${randomUUID()}`;
  const rest = reaper(tag);
  const before = guards(process.pid);
  const command = `${script}echo ready; while :; do sleep 600; done`;
  const transport = await stdio({ command, lease, env: { TAG: tag } })(never);
  const lines: string[] = [];
  const closed = new Promise<CloseReason>((resolve) => {
    transport.open({ line: (line) => lines.push(line), closed: resolve });
  });
  await until(() => lines.length > 0);
  return {
    transport,
    closed,
    all: (): readonly number[] => processesOf(tag),
    guard: (): number | undefined => guards(process.pid).find((pid) => !before.includes(pid)),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await transport.close();
      await rest[Symbol.asyncDispose]();
    },
  };
}

/** A process that owns a server with a lease, and may renew the lease. */
async function owner(ms: number | undefined, renewal = "") {
  const tag = `LEASED_${randomUUID()}`;
  const rest = reaper(tag);
  const program = `
    import { ServerLease, stdio } from "codexwright/stdio";
    const lease = ${ms} && new ServerLease(${ms});
    const command = "setsid sleep 600 & sleep 600 & echo ready; while :; do sleep 600; done";
    const transport = await stdio({ command, lease })(new AbortController().signal);
    transport.open({
      line: () => console.log("ready"),
      closed: (reason) => { console.log("closed: " + reason.message); process.exit(); },
    });
    ${renewal}
    setInterval(() => {}, 60_000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: import.meta.dirname,
    env: { ...process.env, TAG: tag },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const pid = child.pid as number;
  await until(() => said.includes("ready"));
  return {
    pid,
    ended: once(child, "close").then(() => said),
    /** Returns the processes of the server that run. */
    server: (): readonly number[] =>
      processesOf(tag).filter((each) => each !== pid && !isGuard(each) && statOf(each)[0] !== "Z"),
    guards: (): readonly number[] => guards(pid),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      killAll([pid], "SIGCONT");
      killAll([pid]);
      await rest[Symbol.asyncDispose]();
    },
  };
}

const isGuard = (pid: number): boolean => wordsOf(pid).includes("codexwright-guard") || parentIsGuard(pid);
/** The guard's own \`sleep\`. */
const parentIsGuard = (pid: number): boolean => wordsOf(Number(statOf(pid)[1])).includes("codexwright-guard");

verifies("stdio.lease", "a lease counts down, is renewed and ends once", async () => {
  const lease = new ServerLease(LONG_MS);
  expect(lease.remainingMs).toBeLessThanOrEqual(LONG_MS);
  expect(lease.remainingMs).toBeGreaterThan(LONG_MS - 60_000);
  lease.renew(2 * LONG_MS);
  expect(lease.remainingMs).toBeGreaterThan(LONG_MS);
  lease.renew(1);
  await until(() => lease.remainingMs === 0);
  lease.renew(LONG_MS);
  expect(lease.remainingMs).toBe(0);
});

verifies("stdio.lease", "a duration that is not a number of milliseconds > 0 is refused", () => {
  const lease = new ServerLease(LONG_MS);
  for (const ms of [0, -1, Number.NaN, Infinity, -Infinity, 2 ** 31, "5", null, undefined, {}]) {
    for (const call of [() => lease.renew(ms as never), () => new ServerLease(ms as never)]) {
      expect(call).toThrow(expect.objectContaining({ code: "invalid_argument" }));
    }
  }
  expect(lease.remainingMs).toBeGreaterThan(LONG_MS - 60_000);
});

describe("on a Unix system", () => {
  verifies(
    "stdio.lease",
    "connecting with a lease that is over rejects, and starts nothing",
    async () => {
      const lease = new ServerLease(1);
      await until(() => lease.remainingMs === 0);
      const error = await rejection(Promise.resolve(stdio({ command: "exit 0", lease })(never)));
      expect(error).toBeInstanceOf(LeaseEndedError);
      expect(error).toMatchObject({ code: "lease_ended", retryable: true });
    },
    { skip: onWindows },
  );

  verifies(
    "stdio.lease",
    "a client whose lease is over is closed with the reason, and does not reconnect",
    async () => {
      using fake = wireScript({ script: [] });
      const lease = new ServerLease(LONG_MS);
      await using codex = new CodexClient({ command: [fake.executable], lease, reconnect: {} });
      await codex.connect();
      const failed = new Promise((resolve) => codex.on("error", resolve));
      const exited = new Promise<CloseReason>((resolve) => codex.on("exit", resolve));
      const listed = rejection(codex.request("model/list", {}));
      lease.renew(1);
      expect(await listed).toMatchObject({ code: "connection_closed", cause: { code: "lease_ended" } });
      expect((await exited).message).toContain("the lease of the app-server is over");
      expect(await failed).toMatchObject({ code: "lease_ended" });
    },
    { skip: onWindows },
  );
});

describe("on Linux", () => {
  verifies(
    "security.s90",
    "the end of a lease kills the server and all of its processes, and the reason names the lease",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...SCRIPTS), fc.constantFrom(...SCRIPTS), async (one, two) => {
          const lease = new ServerLease(LONG_MS);
          await using server = await leased(lease, one + two);
          lease.renew(10);
          const reason = await server.closed;
          expect(reason.message).toContain("the lease of the app-server is over");
          expect(reason.cause).toBeInstanceOf(LeaseEndedError);
          await until(() => server.all().length === 0);
          await until(() => server.guard() === undefined);
        }),
        { numRuns: 6, seed: 90 },
      );
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s90",
    "the guard kills the server of an owner that is stopped",
    async () => {
      await using world = await owner(2_000);
      expect(world.server().length).toBeGreaterThanOrEqual(3);
      killAll([world.pid], "SIGSTOP");
      await until(() => world.server().length === 0);
      killAll([world.pid], "SIGCONT");
      expect(await world.ended).toContain("closed: the lease of the app-server is over");
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s90",
    "without a lease, the server of a stopped owner runs on",
    async () => {
      await using world = await owner(undefined);
      killAll([world.pid], "SIGSTOP");
      const began = uptime();
      await until(() => uptime() > began + 2);
      expect(world.server().length).toBeGreaterThanOrEqual(3);
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s90",
    "the guard knows renewals: the server of a stopped owner lives until the renewed end, and not longer",
    async () => {
      // Without renewals, the lease would be over long before the owner is stopped.
      await using world = await owner(2_000, "setInterval(() => lease.renew(2_000), 100);");
      const began = uptime();
      await until(() => uptime() > began + 3);
      expect(world.server().length).toBeGreaterThanOrEqual(3);
      killAll([world.pid], "SIGSTOP");
      const stopped = uptime();
      await until(() => world.server().length === 0);
      expect(uptime() - stopped).toBeGreaterThan(1);
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s90",
    "a stopped or killed guard does not make the lease longer",
    async () => {
      for (const signal of ["SIGSTOP", "SIGKILL"] as const) {
        const lease = new ServerLease(LONG_MS);
        await using server = await leased(lease, "setsid sleep 600 & ");
        await until(() => server.guard() !== undefined);
        killAll([server.guard() as number], signal);
        lease.renew(300);
        expect((await server.closed).message).toContain("lease");
        await until(() => server.all().length === 0);
      }
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s90",
    "the guard that replaces a killed guard has the lease, even if the owner is stopped afterwards",
    async () => {
      await using world = await owner(3_000);
      const first = Math.max(...world.guards());
      killAll([first]);
      await until(() => world.guards().length > 0 && !world.guards().includes(first));
      killAll([world.pid], "SIGSTOP");
      await until(() => world.server().length === 0);
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s90",
    "a guard that is killed while its owner is stopped has left its timer, which ends the server",
    async () => {
      await using world = await owner(3_000);
      await until(() => world.guards().length > 0);
      killAll([world.pid], "SIGSTOP");
      killAll(world.guards());
      await until(() => world.server().length === 0);
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s90",
    "a flood of renewals neither delays the end nor leaves a process",
    async () => {
      const lease = new ServerLease(LONG_MS);
      await using server = await leased(lease, "");
      const end = uptime() + 1;
      while (uptime() < end) {
        for (let each = 0; each < 1_000; each++) lease.renew(10_000 + (each % 7) * 1_000);
        await new Promise(setImmediate);
      }
      const guard = server.guard() as number;
      expect(childrenOf(guard).length).toBeLessThanOrEqual(2);
      lease.renew(200);
      expect((await server.closed).message).toContain("lease");
      await until(() => server.all().length === 0 && server.guard() === undefined);
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s90",
    "a renewal after the end starts nothing and keeps nothing",
    async () => {
      const lease = new ServerLease(LONG_MS);
      await using server = await leased(lease, "");
      lease.renew(1);
      await until(() => lease.remainingMs === 0);
      lease.renew(LONG_MS);
      expect((await server.closed).message).toContain("lease");
      await until(() => server.all().length === 0);
    },
    { skip: unlessLinux },
  );

  verifies(
    "security.s90",
    "closing a server with a lease leaves neither guard nor timer",
    async () => {
      const lease = new ServerLease(LONG_MS);
      await using server = await leased(lease, "trap '' TERM; ");
      const guard = server.guard() as number;
      await until(() => childrenOf(guard).length > 0);
      const timers = childrenOf(guard);
      await server.transport.close();
      expect((await server.closed).message).not.toContain("lease");
      expect([guard, ...timers].filter((pid) => wordsOf(pid).includes("codexwright-guard"))).toEqual([]);
      expect(server.all()).toEqual([]);
    },
    { skip: unlessLinux },
  );
});

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

/** The time since the machine was started, in seconds. */
function uptime(): number {
  return Number.parseFloat(readFileSync("/proc/uptime", "latin1"));
}
