import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** A server whose owner was killed gets two seconds to end by itself before its guard kills it. */
const LONGEST_MS = 5_000;
const LOOK_MS = 20;

/**
 * Resolves when no process of a world is left. It finds the processes by their environment, which contains the folders
 * of the world. A server that is about to end still writes to its home, and would create the removed folder again.
 *
 * A client that closes waits for its own server, so this function is for servers whose owner was killed. The promise
 * resolves after five seconds in any case, and immediately on systems without `/proc`.
 */
export async function worldEnded(root: string): Promise<void> {
  const latest = performance.now() + LONGEST_MS;
  while ((await hasProcess(root)) && performance.now() < latest) await delay(LOOK_MS);
}

async function hasProcess(root: string): Promise<boolean> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const others = pids.filter((pid) => pid !== `${process.pid}`);
  const environments = await Promise.all(
    // A process that has ended, or that belongs to another user, cannot be read.
    others.map((pid) => readFile(`/proc/${pid}/environ`, "latin1").catch(() => "")),
  );
  const folder = Buffer.from(`=${root}/`).toString("latin1");
  return environments.some((environment) => environment.includes(folder));
}
