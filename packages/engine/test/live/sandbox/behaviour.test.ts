import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { expect } from "vitest";
import { bubblewrap, nodeShell } from "@codexwright/engine/node";
import { explain, whyUnsupported } from "@codexwright/engine/internal";
import type { ResolvedPolicy } from "@codexwright/engine";
import { rejection, until } from "@codexwright/test-support/events";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { policyOf, runIn, shell } from "./commands.ts";
import { PROGRAMS, world } from "./world.ts";

const USER = process.getuid?.() === 0 ? "root" : "self";
const [PROGRAM = "/usr/bin/bwrap"] = PROGRAMS;
const LINUX = { skip: unlessLinux } as const;

/** The names in a folder, in the same order on every runtime. */
function list(folder: string): string[] {
  return readdirSync(folder).toSorted((a, b) => (a < b ? -1 : 1));
}

verifies(
  "engine.sandbox.policy",
  "a writable root can be a file: nothing else in its folder is writable",
  async () => {
    using folders = world(USER, PROGRAM);
    const { base, root, out } = folders;
    writeFileSync(`${base}/granted`, "");
    const policy = policyOf(root, { writableRoots: [`${base}/granted`] });
    const script = `echo in >${base}/granted; mv ${base}/granted ${base}/moved; echo x >${out}/escaped`;
    const { stderr } = await runIn(bubblewrap({ path: PROGRAM }), script, policy, root);
    expect(stderr).toMatch(/Read-only file system[^]*Read-only file system/);
    expect(readFileSync(`${base}/granted`, "utf8")).toBe("in\n");
  },
  LINUX,
);

verifies(
  ["engine.sandbox.placeholders", "security.s78"],
  "covers missing folders while a command runs, and removes them after the last one",
  async () => {
    using folders = world(USER, PROGRAM);
    const { base, root } = folders;
    const names = [".agents", ".codex", ".git"];
    rmSync(`${root}/.git`, { recursive: true });
    const policy = policyOf(root);
    const before = list(root);
    // Two servers.
    const [one, two] = [bubblewrap({ path: PROGRAM }), bubblewrap({ path: PROGRAM })];
    const first = await one.wrap(shell("true", root), policy);
    const second = await two.wrap(shell("true", root), policy);
    expect(list(root)).toEqual([...before, ...names].toSorted((a, b) => (a < b ? -1 : 1)));
    await first.release();
    await first.release();
    expect(list(root)).toEqual([...before, ...names].toSorted((a, b) => (a < b ? -1 : 1)));
    await second.release();
    expect(list(root)).toEqual(before);

    // A server that was killed leaves marks, which the next one removes.
    mkdirSync(`${root}/.codex`);
    const third = await one.wrap(shell("true", root), policy);
    const [mark = ""] = readdirSync(`${root}/.git`);
    const stale = mark.replace(`-${process.pid}-`, "-4194305-");
    writeFileSync(`${root}/.git/${stale}`, "");
    // The user's own folder, empty, and a file that the user makes while a command runs.
    writeFileSync(`${root}/.agents/notes`, "");
    await third.release();
    expect(list(root)).toEqual([...before, ".agents", ".codex"].toSorted());
    expect(readdirSync(`${root}/.agents`)).toEqual(["notes"]);
    expect(readdirSync(`${root}/.codex`)).toEqual([]);

    // A folder that is replaced with a link is not followed.
    rmSync(`${root}/.agents`, { recursive: true });
    const sub = `${root}/sub`;
    symlinkSync(`${base}/out`, sub);
    const trap: ResolvedPolicy = { ...policy, neverWritable: [`${sub}/.git`] };
    expect(await rejection(one.wrap(shell("true", root), trap))).toMatchObject({
      code: "sandbox_unavailable",
    });
    expect(readdirSync(`${base}/out`)).toEqual(["victim"]);
    rmSync(sub);
    rmSync(`${root}/.codex`, { recursive: true });
    expect(list(root)).toEqual(before);
  },
  LINUX,
);

verifies(
  ["engine.sandbox.end", "security.s78"],
  "ends everything that a command started when bubblewrap is killed",
  async () => {
    for (const program of PROGRAMS) {
      using folders = world(USER, program);
      const { root } = folders;
      const sandbox = bubblewrap({ path: program });
      const script =
        "(setsid sh -c 'echo x >ready; sleep 1000' &) ; setsid nohup sleep 1000 >/dev/null 2>&1 & sleep 1000";
      const wrapped = await sandbox.wrap(shell(script, root), policyOf(root));
      const [file = "", ...args] = wrapped.command.argv;
      const child = spawn(file, args, {
        stdio: "ignore",
        cwd: root,
        env: { PATH: "/usr/bin:/bin", TEST_MARK: root },
      });
      const inside = (): string[] =>
        readdirSync("/proc").filter(
          (pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(`TEST_MARK=${root}`),
        );
      await until(() => existsSync(`${root}/ready`));
      // The other processes may start later than the one that writes the file.
      await until(() => inside().length > 4);
      child.kill("SIGKILL");
      await until(() => inside().length === 0);
      await wrapped.release();
    }
  },
  LINUX,
);

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

verifies(
  "engine.sandbox.terminal",
  "passes Ctrl-C in a terminal to the command, and its exit code back",
  async () => {
    using folders = world(USER, PROGRAM);
    const { root } = folders;
    const sandbox = bubblewrap({ path: PROGRAM });
    const terminals = nodeShell({});
    let output = "";
    const script = `trap 'echo interrupted; exit 7' INT; stty size; echo ready; while :; do sleep 0.05; done`;
    const command = {
      ...shell(script, root),
      terminal: { cols: 91, rows: 33 },
      onData: (bytes: Uint8Array | string) =>
        void (output += typeof bytes === "string" ? bytes : Buffer.from(bytes).toString()),
    };
    const wrapped = await sandbox.wrap(command, policyOf(root));
    try {
      const child = await terminals.start(wrapped.command);
      await until(() => output.includes("ready"));
      await child.write(new Uint8Array([3]));
      expect(await child.exited).toBe(7);
      expect(output).toContain("33 91");
      expect(output).toContain("interrupted");
    } finally {
      await wrapped.release();
      await terminals.close?.();
    }
  },
  LINUX,
);

verifies(
  ["engine.sandbox.status", "security.s76"],
  "reports what is missing, and never runs a command without a sandbox",
  async () => {
    using folders = world(USER, PROGRAM);
    const { base, root } = folders;
    // Every user can change this one.
    chmodSync(`${base}/bwrap`, 0o757);
    for (const missing of [`${base}/nothing`, base, "/etc/passwd", `${base}/bwrap`]) {
      const sandbox = bubblewrap({ path: missing });
      expect(await sandbox.status(policyOf(root))).toMatchObject({ ready: false });
      expect(await rejection(sandbox.wrap(shell("true", root), policyOf(root)))).toMatchObject({
        code: "sandbox_unavailable",
      });
    }
    const ready = bubblewrap({ path: PROGRAM });
    expect(await ready.status(policyOf(root))).toEqual({ ready: true });
    // A program that starts, but confines nothing.
    const other = bubblewrap({ path: "/usr/bin/env" });
    expect(await other.status(policyOf(root))).toMatchObject({ ready: false });
    for (const argv of [[], [""], ["-c", "true"]]) {
      const refused = ready.wrap({ argv, cwd: root, onData: () => {} }, policyOf(root));
      expect(await rejection(refused)).toMatchObject({ code: "sandbox_unavailable" });
    }
    // A policy whose protected folder cannot be made.
    writeFileSync(`${root}/file`, "");
    const policy = { ...policyOf(root), neverWritable: [`${root}/${"x".repeat(300)}/deep`] };
    expect(await rejection(ready.wrap(shell("true", root), policy))).toMatchObject({
      code: "sandbox_unavailable",
    });
    expect(readdirSync(root).filter((name) => name.startsWith(".codex") || name === ".agents")).toEqual([]);
  },
  LINUX,
);

verifies("engine.sandbox.status", "explains an unsupported system and missing namespaces", () => {
  expect(whyUnsupported("darwin", "arm64")).toContain("Linux only");
  expect(whyUnsupported("win32", "x64")).toContain("Linux only");
  expect(whyUnsupported("linux", "s390x")).toContain("s390x");
  expect(whyUnsupported("linux", "arm64")).toBeUndefined();
  expect(explain("bwrap: No permissions to create new namespace, likely because …")).toContain("sysctl");
  expect(explain("bwrap: setting up uid map: Permission denied\n")).toContain("apparmor");
  expect(explain("bwrap: Can't find source path /x: No such file\n")).toBe(
    "bwrap: Can't find source path /x: No such file",
  );
  expect(explain("")).toContain("no reason");
});

verifies(
  "security.s74",
  "with network access, commands reach loopback, but no family that is not listed and nothing in /run",
  async () => {
    using folders = world(USER, PROGRAM);
    const { root } = folders;
    const server = createServer((peer) => peer.destroy());
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const sandbox = bubblewrap({ path: PROGRAM });
    const connect = `perl -MSocket -e 'socket(S, PF_INET, SOCK_STREAM, 0) && connect(S, sockaddr_in(${port}, INADDR_LOOPBACK)) or exit 9'`;
    const packet = "perl -MSocket -e 'socket(S, 38, 5, 0) or exit($!+0)'";
    try {
      const online = policyOf(root, { networkAccess: true });
      expect(await runIn(sandbox, connect, online, root)).toMatchObject({ code: 0 });
      expect(await runIn(sandbox, connect, policyOf(root), root)).toMatchObject({ code: 9 });
      expect(await runIn(sandbox, packet, online, root)).toMatchObject({ code: 1 });
      const { stdout } = await runIn(
        sandbox,
        "find /run -type s -o -type p; ls -d /run/user /run/docker.sock",
        online,
        root,
      );
      expect(stdout).toBe("");
    } finally {
      server.close();
    }
  },
  LINUX,
);

verifies(
  "security.s75",
  "commands have no capabilities, no other processes and no calls of x32",
  async () => {
    using folders = world(USER, PROGRAM);
    const { root } = folders;
    const sandbox = bubblewrap({ path: PROGRAM });
    const policy = policyOf(root);
    const { stdout } = await runIn(
      sandbox,
      "grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status; ls /proc",
      policy,
      root,
    );
    expect(stdout.match(/^Cap(Inh|Prm|Eff|Amb):\t0{16}$/gm)).toHaveLength(4);
    expect(stdout).toContain("NoNewPrivs:\t1");
    expect(stdout).toContain("Seccomp:\t2");
    expect(stdout.split("\n").filter((name) => /^\d+$/.test(name)).length).toBeLessThan(5);
    // SIGSYS.
    const x32 = await runIn(sandbox, `perl -e 'syscall(0x40000027)'; echo $?`, policy, root);
    expect(x32.stdout.trim()).toBe("159");
  },
  LINUX,
);
