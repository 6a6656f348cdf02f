import { readdir, readFile } from "node:fs/promises";

/** Each command has this variable in its environment, so that the processes that it starts can be found. */
export const MARK = "CODEXWRIGHT_COMMAND";

/** A killed process may start another one before it ends. So the search repeats until two in a row find nothing. */
const CLEAN = 2;
const MAX_PASSES = 100;

/** Kills a process group. Does nothing if it has no processes. */
export function killGroup(leader: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // All of its processes have ended.
  }
}

/**
 * Kills every process whose mark starts with this text, in whatever group or session it is. Finds processes by their
 * environment, which only Linux shows. Elsewhere it does nothing.
 */
export async function killMarked(mark: string): Promise<void> {
  if (process.platform !== "linux") return;
  for (let pass = 0, clean = 0; pass < MAX_PASSES && clean < CLEAN; pass++) {
    const found = await marked(mark);
    clean = found.length === 0 ? clean + 1 : 0;
    for (const pid of found) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended, or it belongs to another user.
      }
    }
  }
}

/** How many processes are looked at together. Each look needs a file descriptor. */
const TOGETHER = 16;

async function marked(mark: string): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const found: number[] = [];
  const wanted = `${MARK}=${mark}`;
  for (let at = 0; at < pids.length; at += TOGETHER) {
    const some = pids.slice(at, at + TOGETHER);
    const have = await Promise.all(some.map((pid) => has(pid, wanted)));
    found.push(...some.filter((pid, n) => have[n] && pid !== process.pid));
  }
  return found;
}

async function has(pid: number, variable: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1");
    return environment.startsWith(variable) || environment.includes(`\0${variable}`);
  } catch {
    return false; // It has ended, or it belongs to another user.
  }
}
