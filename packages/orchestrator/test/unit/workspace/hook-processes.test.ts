import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { holdInside, IssueWorkspace, type WorkspaceOptions } from "@codexwright/orchestrator/internal";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { NEVER, world, type World } from "./world.ts";

/** Starts processes that are hard to end, and writes their pids into the file `pids`. */
const STUBBORN = `
trap '' TERM HUP INT
note() { echo $BASHPID >> "$CODEXWRIGHT_WORKSPACE/pids"; }
( note; sleep 600 ) &
( note; trap '' TERM HUP; while :; do sleep 600; done ) &
setsid bash -c 'echo $$ >> "$CODEXWRIGHT_WORKSPACE/pids"; trap "" TERM; sleep 600 & wait' &
nohup bash -c 'echo $$ >> "$CODEXWRIGHT_WORKSPACE/pids"; cd /; exec sleep 600' > /dev/null 2>&1 &
( ( note; sleep 600 ) & )
while [ "$(cat "$CODEXWRIGHT_WORKSPACE/pids" 2>/dev/null | wc -l)" -lt 5 ]; do sleep 0.02; done
note
touch "$CODEXWRIGHT_WORKSPACE/../started"
`;

function lives(pid: string): boolean {
  try {
    // A process that has ended is a zombie until its parent asks for its exit code.
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

function pidsIn(folder: string): string[] {
  return readFileSync(path.join(folder, "pids"), "utf8").trim().split("\n");
}

async function started({ root }: World): Promise<void> {
  await until(() => existsSync(path.join(root, "started")));
}

const skip = process.platform === "linux" ? false : "processes are counted in /proc";

verifies(
  "fleet.workspace.hook.end",
  "a hook that ends by itself leaves no process",
  async () => {
    await using at = world();
    const { path: folder } = await at.open("ABC-1", { afterCreate: STUBBORN });
    expect(pidsIn(folder)).toHaveLength(6);
    expect(pidsIn(folder).filter((pid) => lives(pid))).toEqual([]);
    expect(at.hooks).toEqual(["after_create: ok"]);
  },
  { skip },
);

verifies(
  ["fleet.workspace.hook.end", "security.s100"],
  "a hook that does not end leaves no process after its timeout",
  async () => {
    await using at = world();
    const workspace = await at.open("ABC-1", { beforeRun: `${STUBBORN}\nsleep 600`, timeoutMs: 3_000 });
    await expect(workspace.beforeRun(NEVER)).rejects.toMatchObject({
      code: "hook_timeout",
      hook: "before_run",
    });
    expect(pidsIn(workspace.path).filter((pid) => lives(pid))).toEqual([]);
  },
  { skip },
);

verifies(
  ["fleet.workspace.hook.end", "security.s100"],
  "an aborted hook rejects with the reason and leaves no process",
  async () => {
    await using at = world();
    const stop = new AbortController();
    const workspace = await at.open("ABC-1", { beforeRun: `${STUBBORN}\nkill -STOP $$; sleep 600` });
    const run = workspace.beforeRun(stop.signal);
    await started(at);
    stop.abort(new Error("drained"));
    await expect(run).rejects.toThrow("drained");
    expect(pidsIn(workspace.path).filter((pid) => lives(pid))).toEqual([]);
    expect(at.hooks).toEqual(["before_run: aborted"]);
  },
  { skip },
);

/** Runs `after_create` in a process of its own. */
const OWNER = `
import { IssueWorkspace } from "@codexwright/orchestrator/internal";
const [root, script] = process.argv.slice(1);
const hooks = { afterCreate: script, beforeRun: null, afterRun: null, beforeRemove: null, timeoutMs: 600_000 };
const options = { issue: { id: "1", identifier: "ABC-1" }, hooks, secretEnv: [] };
await IssueWorkspace.open(root, options, new AbortController().signal);
`;

verifies(
  ["fleet.workspace.hook.death", "fleet.workspace.unfinished", "security.s100"],
  "if our process is killed, the hook is killed and the next call begins with a new folder",
  async () => {
    await using at = world();
    const script = `touch half; ${STUBBORN}\nsleep 600`;
    const owner = spawn(process.execPath, ["--input-type=module", "-e", OWNER, at.root, script], {
      cwd: import.meta.dirname,
      stdio: "inherit",
    });
    await started(at);
    owner.kill("SIGKILL");
    await once(owner, "exit");
    const folder = path.join(at.root, "ABC-1");
    await until(() => !pidsIn(folder).some((pid) => lives(pid)));
    expect(existsSync(path.join(folder, "half"))).toBe(true);
    const again = await at.open("ABC-1", { afterCreate: "ls > seen" });
    expect(again.createdNow).toBe(true);
    expect(readdirSync(again.path)).toEqual(["seen"]);
  },
  { skip },
);

/** Removes a workspace, and kills its own process instead of removing the file with the given number. */
const REMOVER = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const [recorded, script, last] = process.argv.slice(1);
const unlink = fs.unlinkSync;
let files = 0;
fs.unlinkSync = (file) => (++files === Number(last) ? process.kill(process.pid, "SIGKILL") : unlink(file));
syncBuiltinESMExports();
const { IssueWorkspace } = await import("@codexwright/orchestrator/internal");
const hooks = { afterCreate: null, beforeRun: null, afterRun: null, beforeRemove: script, timeoutMs: 600_000 };
const options = { issue: { id: "1", identifier: "ABC-1" }, hooks, secretEnv: [] };
await IssueWorkspace.at(recorded, options).remove(new AbortController().signal);
`;

verifies(
  "fleet.workspace.removing",
  "if our process is killed in a removal, before_remove never sees the folder without its files",
  async () => {
    await using at = world();
    const seen = path.join(at.folder, "seen");
    const beforeRemove = `ls >> '${seen}'`;
    for (const file of [1, 2, 4]) {
      const { path: folder } = await at.open("ABC-1");
      for (const name of ["a", "b", "c", "d"]) writeFileSync(path.join(folder, name), "");
      const args = ["--input-type=module", "-e", REMOVER, folder, beforeRemove, `${file}`];
      const remover = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: "inherit" });
      expect(await once(remover, "exit")).toEqual([null, "SIGKILL"]);
      expect(readdirSync(folder)).toHaveLength(5 - file);
      const rest = IssueWorkspace.at(folder, at.options({ beforeRemove }));
      // The issue becomes active again, or the removal goes on.
      if (file === 2) expect((await at.open("ABC-1")).createdNow).toBe(true);
      else await rest?.remove(NEVER);
      expect(existsSync(folder)).toBe(file === 2);
      if (file === 2) await IssueWorkspace.at(folder, at.options())?.remove(NEVER);
      expect(readdirSync(at.root)).toEqual([]);
    }
    expect(readFileSync(seen, "utf8")).toBe("a\nb\nc\nd\n".repeat(3));
  },
  { skip },
);

verifies(
  "security.s98",
  "a hook starts in the folder that was checked, also if it is swapped at once",
  async () => {
    await using at = world();
    const outside = path.join(at.folder, "outside");
    mkdirSync(outside);
    const workspace = await at.open("ABC-1", { beforeRun: "touch ran" });
    const swapper = spawn(
      "bash",
      [
        "-c",
        `cd "$1"; ln -s "$2" link; while :; do mv -T ABC-1 real; mv -T link ABC-1; mv -T ABC-1 link; mv -T real ABC-1; done`,
        "-",
        at.root,
        outside,
      ],
      { stdio: "ignore" },
    );
    const moved = new AbortController();
    watch(at.root, { signal: moved.signal }, () => moved.abort());
    if (!moved.signal.aborted) await once(moved.signal, "abort");
    try {
      for (let round = 0; round < 25; round++) await workspace.beforeRun(NEVER).catch(() => {});
    } finally {
      swapper.kill("SIGKILL");
      await once(swapper, "exit");
    }
    expect(readdirSync(outside)).toEqual([]);
  },
);

verifies(
  "security.s98",
  "a folder that is held is not redirected by a link that replaces it",
  async () => {
    await using at = world();
    const outside = path.join(at.folder, "outside");
    mkdirSync(outside);
    const workspace = await at.open("ABC-1");
    const held = holdInside(at.root, workspace.path);
    const start = async (cwd: string): Promise<void> =>
      void (await once(spawn("touch", ["ran"], { cwd, stdio: "ignore" }), "exit"));
    const swap = `cd "$1" && mv ABC-1 real && ln -s "$2" ABC-1`;
    await once(spawn("bash", ["-c", swap, "-", at.root, outside]), "exit");
    await start(held.at(".").toString());
    held.close();
    expect([readdirSync(path.join(at.root, "real")), readdirSync(outside)]).toEqual([["ran"], []]);
    // The same start by the path that was checked.
    await start(workspace.path);
    expect(readdirSync(outside)).toEqual(["ran"]);
  },
  { skip },
);

verifies(
  ["fleet.workspace.hook.output", "security.s101"],
  "a flood of output costs neither memory nor the hook",
  async () => {
    await using at = world();
    const before = process.memoryUsage().rss;
    let most = before;
    const look = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 20);
    const script = "head -c 402653184 /dev/zero | tr '\\0' x; echo; echo the end";
    await at.open("ABC-1", { afterCreate: script });
    clearInterval(look);
    expect(most - before).toBeLessThan(200 * 1024 * 1024);
    expect(at.log[0]).toMatch(/^\[…\] x+\nthe end$/);
    expect(Buffer.byteLength(at.log[0] ?? "")).toBeLessThanOrEqual(2_048);
  },
);

verifies("fleet.workspace.hook.output", "the end of an output with long characters is kept", async () => {
  await using at = world();
  for (const character of ["ж", "語", "🦊"]) {
    await at.open(character, { afterCreate: `printf '${character}%.0s' {1..20000}; echo; echo the end` });
    const output = at.log.at(-1) ?? "";
    expect(output).toMatch(new RegExp(`^\\[…\\] ${character}{400,}\nthe end$`, "u"));
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(2_048);
  }
});

verifies("security.s101", "the output of a hook has no secrets, wherever they are", async () => {
  await using at = world();
  const secret = "correct-horse-battery-staple";
  process.env["TEST_TRACKER_TOKEN"] = secret;
  const secretEnv = ["TEST_TRACKER_TOKEN"];
  const encoded = [secret, Buffer.from(secret).toString("base64"), Buffer.from(secret).toString("hex")];
  const pad = (bytes: number): string => `head -c ${bytes} /dev/zero | tr '\\0' ' ';`;
  const open = async (
    identifier: string,
    script: string,
    more: Partial<WorkspaceOptions> = {},
  ): Promise<string> => {
    const issue = { id: "1", identifier };
    await IssueWorkspace.open(
      at.root,
      at.options({ afterCreate: script }, { issue, secretEnv, ...more }),
      NEVER,
    );
    return at.log.at(-1) ?? "";
  };
  try {
    for (const text of encoded) {
      // The text is cut at every place where the beginning of the kept output can fall.
      for (const bytes of [0, 2_030, 12_270, 12_280]) {
        const output = await open(`${text}${bytes}`, `echo a; echo ${text}; ${pad(bytes)} echo b`);
        expect(output).not.toContain(text.slice(-8));
        expect(output).not.toContain(text.slice(0, 8));
      }
    }
    const repeated = await open("repeated", `for i in {1..3000}; do echo -n ${secret}; done`);
    expect(repeated).not.toContain("staple");
    expect(await open("naive", `echo ${secret}`, { secretEnv: [] })).toContain(secret);
  } finally {
    delete process.env["TEST_TRACKER_TOKEN"];
  }
});
