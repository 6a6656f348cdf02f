import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { expect } from "vitest";
import { NUMBERS } from "@codexwright/engine/internal";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { tokenOf, type Attempt } from "./attempt.ts";
import { ATTEMPTS } from "./attempts.ts";
import { asUser, confined, PROGRAMS, run, USERS, world, type Outcome, type User } from "./world.ts";

const LIMIT_MS = 120_000;
/** Runs at the same time. */
const LANES = 4;

const NAMES: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  mknodat: [259, 33],
  setsid: [112, 157],
};

interface Result {
  readonly escaped: boolean;
  readonly outcome: Outcome;
}

verifies(
  ["engine.sandbox.escapes", "security.s72", "security.s73", "security.s74"],
  "no attempt of the list leaves the sandbox, and each one works without it",
  async () => {
    expect(PROGRAMS.length).toBeGreaterThan(0);
    const problems: string[] = [];
    const runs = USERS.flatMap((user) =>
      ATTEMPTS.filter(({ users }) => users?.includes(user) ?? true).flatMap((attempt) => [
        async () => {
          const { escaped, outcome } = await tryOut(attempt, user, undefined);
          const allowed = attempt.impossible?.[user] ?? [];
          const isKnown = allowed.some((each) => `${outcome.stdout}${outcome.stderr}`.includes(each));
          if (!escaped && !isKnown) problems.push(`${user} cannot: ${attempt.name}: ${wordsOf(outcome)}`);
        },
        ...PROGRAMS.map((program) => async () => {
          const { escaped, outcome } = await tryOut(attempt, user, program);
          if (escaped) problems.push(`${user} ESCAPED from ${program}: ${attempt.name}: ${wordsOf(outcome)}`);
          if (/codexwright:|bwrap:|broken:/.test(`${outcome.stdout}${outcome.stderr}`)) {
            problems.push(`${user} did not run in ${program}: ${attempt.name}: ${wordsOf(outcome)}`);
          }
        }),
      ]),
    );
    await inLanes(runs);
    expect(problems).toEqual([]);
  },
  { timeoutMs: LIMIT_MS, skip: unlessLinux },
);

function wordsOf({ stdout, stderr, code }: Outcome): string {
  return JSON.stringify({ stdout, stderr: stderr.slice(0, 300), code });
}

async function inLanes(runs: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...runs];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Runs one attempt, in its own folders, without a sandbox if there is no program. */
async function tryOut(attempt: Attempt, user: User, program: string | undefined): Promise<Result> {
  using folders = world(user, program ?? PROGRAMS[0] ?? "");
  const { base, root, out, copy, policy } = { ...folders, copy: folders.program };
  const token = tokenOf(base);
  attempt.prepare?.(folders);
  folders.own();
  const servers = attempt.script.includes("$ENV{") ? await listen(`${base}/socket`, token) : undefined;
  const victim = attempt.script.includes("VICTIM") ? await startVictim(user) : undefined;
  const port = servers?.port ?? 0;
  const env = {
    BASE: base,
    ROOT: root,
    OUT: out,
    TOKEN: token,
    TRY: `${base}/try`,
    SOCKET: `${base}/socket`,
    PORT: String(port),
    VICTIM: String(victim?.pid ?? 0),
  };
  const argv = ["/bin/sh", "-c", numbered(attempt.script)];
  const options = { user, cwd: root, env };
  try {
    const outcome = program
      ? await confined(argv, { ...options, program, copy, policy }, out)
      : await run([...asUser(user), ...argv], options, out);
    const died = victim !== undefined && !isRunning(victim);
    const left = attempt.left?.(folders) ?? false;
    const changed = existsSync(`${out}/escaped`) || readFileOr(`${out}/victim`) === "host\nescaped\n";
    return { escaped: died || left || changed || outcome.stdout.includes("escaped"), outcome };
  } finally {
    victim?.kill("SIGKILL");
    servers?.close();
    rmSync(`/dev/shm/${token}`, { force: true });
  }
}

function numbered(script: string): string {
  return script.replaceAll(/%(\w+)%/g, (_, name: string) => {
    const isArm = process.arch === "arm64";
    const own = NAMES[name]?.[isArm ? 1 : 0];
    const number = own ?? NUMBERS[isArm ? "arm64" : "x64"][name];
    if (number === undefined) throw new Error(`no number for ${name}`);
    return String(number);
  });
}

function readFileOr(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Starts a process of the user. Resolves when it runs as that user, because only then may the user kill it. */
async function startVictim(user: User): Promise<ChildProcess> {
  const argv = [...asUser(user), "/bin/sh", "-c", "echo ready; exec /bin/sleep 1000"];
  const victim = spawn("/usr/bin/env", argv, { stdio: ["ignore", "pipe", "ignore"] });
  await once(victim.stdout, "data");
  return victim;
}

function isRunning({ pid }: ChildProcess): boolean {
  const stat = readFileOr(`/proc/${pid}/stat`);
  return stat !== undefined && !/\) [ZX] /.test(stat);
}

interface Servers {
  readonly port: number;
  close(): void;
}

/** Servers on loopback, on a unix socket and on an abstract one. */
async function listen(socket: string, token: string): Promise<Servers> {
  const servers: Server[] = [];
  const start = async (address: string | { port: number; host: string }): Promise<Server> => {
    const server = createServer((peer) => peer.destroy());
    servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      const options =
        typeof address === "string" ? { path: address, writableAll: !address.startsWith("\0") } : address;
      server.listen(options, resolve);
    });
    return server;
  };
  const tcp = await start({ port: 0, host: "127.0.0.1" });
  await start(socket);
  await start(`\0${token}`);
  return {
    port: (tcp.address() as AddressInfo).port,
    close: () => {
      for (const server of servers) server.close();
    },
  };
}
