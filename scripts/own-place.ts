import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { cacheRoot } from "./cache-root.ts";

/** An environment variable that marks every process of a suite step, including processes that outlive their parent. */
const MARK = "CODEXWRIGHT_SUITE_STEP";

/** Folders that Codex creates in a temporary folder that its sandbox may write to. */
const CODEX_FOLDERS = [".agents", ".aws", ".codex", ".git"];

/** A step's own temporary and home folder, and a check for leftovers of the step. */
export interface OwnPlace {
  /** Variables to add to the environment of the step. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Lists the step's leftovers (files in its temporary folder, Codex's folders next to it, processes), then kills the
   * processes and removes the files.
   */
  clear(): Promise<string[]>;
}

export interface OwnPlaceOptions {
  /** How long processes may take to end by themselves after the step. */
  readonly graceMs?: number;
}

/**
 * Creates a temporary folder for a step, so that steps cannot see each other's files and leftovers can be found, and an
 * empty home. Tests start login shells and kill them. With the home of the user, they would run the user's profile,
 * which can take long, write into outputs, or leave a lock behind.
 */
export async function ownPlace({ graceMs = GRACE_MS }: OwnPlaceOptions = {}): Promise<OwnPlace> {
  const system = tmpdir();
  const before = new Set(await readdir(system));
  // A short name, because the path of a socket file is limited to about 100 characters.
  const root = await mkdtemp(path.join(system, "cw-"));
  // Some tests start a process as another user, who must be able to write here.
  await chmod(root, 0o1777);
  const home = await mkdtemp(path.join(system, "cw-home-"));
  await chmod(home, 0o755);
  const mark = `${MARK}=${path.basename(root)}`;
  return {
    env: { TMPDIR: root, TMP: root, TEMP: root, [MARK]: path.basename(root), HOME: home, ...keptOfHome() },
    clear: async () => {
      const processes = await remainingProcesses(mark, graceMs);
      for (const { pid } of processes) killIfAlive(pid);
      const files = await readdir(root, { recursive: true });
      const beside = (await readdir(system)).filter(
        (name) => CODEX_FOLDERS.includes(name) && !before.has(name),
      );
      for (const folder of [root, home]) await rm(folder, { recursive: true, force: true });
      return [
        ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
        ...files.map((file) => `file ${file} in the step's temporary folder`),
        ...beside.map((name) => `folder ${name} in the system's temporary folder`),
      ];
    },
  };
}

/** The cache of installs, and the configuration of npm: a step needs these parts of the user's home. */
function keptOfHome(): Record<string, string> {
  const { npm_config_userconfig: config, npm_config_cache: cache } = process.env;
  return {
    CODEXWRIGHT_CACHE: cacheRoot(),
    npm_config_userconfig: config ?? path.join(homedir(), ".npmrc"),
    npm_config_cache: cache ?? path.join(homedir(), ".npm"),
  };
}

interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * On a loaded machine, a guard process needs some seconds to notice that its owner has ended. It then ends by itself.
 */
const GRACE_MS = 10_000;

/** Waits until the marked processes have ended, and returns those that have not. */
async function remainingProcesses(mark: string, graceMs: number): Promise<MarkedProcess[]> {
  const until = performance.now() + graceMs;
  for (;;) {
    const processes = await markedProcesses(mark);
    if (processes.length === 0 || performance.now() > until) return processes;
    await setTimeout(100);
  }
}

/** Processes that have the mark in their environment. Returns an empty list on systems without /proc. */
async function markedProcesses(mark: string): Promise<MarkedProcess[]> {
  const entries = await readdir("/proc").catch(() => []);
  const found = await Promise.all(entries.filter((name) => /^\d+$/.test(name)).map((pid) => read(pid, mark)));
  return found.filter((each) => each !== undefined);
}

async function read(pid: string, mark: string): Promise<MarkedProcess | undefined> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, "utf8");
    if (!environment.split("\0").includes(mark)) return undefined;
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
    return { pid: Number(pid), command: command.replaceAll("\0", " ").trim() };
  } catch {
    // The process has ended in the meantime, or belongs to another user.
    return undefined;
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
