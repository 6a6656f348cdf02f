import { readdirSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Resources that keep a process alive or accumulate: sockets, pipes, watched and open files, timers. */
export type Held = ReadonlyMap<string, number>;

/** How long a closed resource may take to disappear. */
const CLOSING_MS = 3_000;

export function held(): Held {
  const counts = new Map<string, number>();
  const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const name of process.getActiveResourcesInfo?.() ?? []) add(name);
  for (const link of openFiles()) add(link);
  return counts;
}

/**
 * Returns the resources that are held now and were not before, after everything that is closing has closed.
 */
export async function heldSince(before: Held): Promise<string[]> {
  const until = performance.now() + CLOSING_MS;
  for (;;) {
    const more = [...held()].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name);
    if (more.length === 0 || performance.now() > until) return more;
    await delay(20);
  }
}

/**
 * Lists open files by kind, without their numbers: a socket that replaced an earlier one has a different
 * number.
 */
function openFiles(): string[] {
  const links: string[] = [];
  for (const fd of readdirSync("/proc/self/fd")) {
    try {
      links.push(readlinkSync(`/proc/self/fd/${fd}`).replace(/:\[\d+\]$/, ""));
    } catch {
      // The descriptor of the directory listing itself.
    }
  }
  // Files that the runtime opens for itself on first use.
  return links.filter((link) => !/^(anon_inode|\/dev\/|\/proc\/)/.test(link)).map((link) => `open ${link}`);
}
