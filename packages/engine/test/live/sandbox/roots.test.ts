import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { bubblewrap } from "@codexwright/engine/node";
import { rejection } from "@codexwright/test-support/events";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { policyOf, runIn, shell } from "./commands.ts";
import { asUser, besideMounts, PROGRAMS, run, USERS, world, type Outcome, type User } from "./world.ts";

const [PROGRAM = "/usr/bin/bwrap"] = PROGRAMS;
const LINUX = { skip: unlessLinux } as const;

/** Runs a wrapped command as the user. Only bubblewrap and the command run as that user. */
function start(argv: readonly string[], user: User, program: string): Promise<Outcome> {
  const line = argv.flatMap((each) => (each === PROGRAM ? [...asUser(user), program] : [each]));
  return besideMounts(path.dirname(program), async () => await run(line, { cwd: "/", env: {} }));
}

/** Keeps exchanging two files until it is killed. */
function exchange(a: string, b: string): ReturnType<typeof spawn> {
  const call = process.arch === "arm64" ? 276 : 316;
  const code = `syscall(${call}, -100, $ARGV[0], -100, $ARGV[1], 2) while getppid() == ${process.pid}`;
  return spawn("perl", ["-e", code, a, b], { stdio: "ignore" });
}

verifies(
  ["engine.sandbox.races", "security.s77"],
  "a root that is replaced with a link while commands start does not widen, for root and an ordinary user",
  async () => {
    for (const user of USERS) await replacedWhileStarting(user);
  },
  LINUX,
);

async function replacedWhileStarting(user: User): Promise<void> {
  using folders = world(user, PROGRAM);
  const { root, out, program } = folders;
  const cwd = `${root}/sub`;
  mkdirSync(cwd);
  symlinkSync("../out", `${root}/link`);
  folders.own();
  const begin = (line: readonly string[]): Promise<Outcome> => start(line, user, program);
  const policy = policyOf(cwd);
  const sandbox = bubblewrap({ path: PROGRAM });
  const script = `echo x >${out}/escaped; true`;
  const wrapped = await sandbox.wrap(shell(script, "/"), policy);
  expect(await begin(wrapped.command.argv)).toMatchObject({ code: 0 });
  // Without protected folders, bwrap has fewer mounts that can fail.
  const simple = await sandbox.wrap(shell(script, "/"), { ...policy, readOnlyPaths: [] });
  const { argv } = simple.command;
  const attacker = exchange(cwd, `${root}/link`);
  try {
    const codes: unknown[] = [];
    const keep = async (command: () => Promise<Outcome>): Promise<void> => {
      const outcome = await command().catch((error: unknown) => error);
      codes.push((outcome as { code: unknown }).code);
    };
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        // Replaced after it was wrapped, and at any moment.
        keep(() => begin(argv)),
        keep(() => begin(wrapped.command.argv)),
        keep(async () => {
          const fresh = await sandbox.wrap(shell(script, "/"), policy);
          try {
            return await begin(fresh.command.argv);
          } finally {
            await fresh.release();
          }
        }),
      ]);
    }
    expect([user, existsSync(`${out}/escaped`)]).toEqual([user, false]);
    // Each command ran in the right folder, was refused by us, or did not start.
    expect(codes.filter((code) => ![0, 1, 126, "sandbox_unavailable"].includes(code as never))).toEqual([]);
    const unverified = argv.map((each) => (each.includes("mountinfo") ? 'shift 2; exec "$@"' : each));
    for (let tries = 0; tries < 500 && !existsSync(`${out}/escaped`); tries++) await begin(unverified);
    expect([user, existsSync(`${out}/escaped`)]).toEqual([user, true]);
  } finally {
    attacker.kill("SIGKILL");
    await wrapped.release();
    await simple.release();
  }
}

verifies(
  ["engine.sandbox.moved-roots", "security.s77"],
  "refuses a root that leads to another folder than at its first use",
  async () => {
    for (const user of USERS) {
      using folders = world(user, PROGRAM);
      const { base, root, out, program } = folders;
      symlinkSync(root, `${base}/current`);
      folders.own();
      const sandbox = bubblewrap({ path: PROGRAM });
      const policy = policyOf(`${base}/current`);
      const first = await sandbox.wrap(shell("echo x >made", `${base}/current`), policy);
      expect(await start(first.command.argv, user, program)).toMatchObject({ code: 0 });
      await first.release();
      expect(existsSync(`${root}/made`)).toBe(true);
      rmSync(`${base}/current`);
      symlinkSync(out, `${base}/current`);
      const refusal = await rejection(runIn(sandbox, "echo x >escaped", policy, `${base}/current`));
      expect(refusal).toMatchObject({ code: "sandbox_unavailable" });
      expect((refusal as Error).message).toContain(out);
      expect(readdirSync(out)).toEqual(["victim"]);
    }
  },
  LINUX,
);
