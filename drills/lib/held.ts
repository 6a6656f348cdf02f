import { readdirSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** What holds a process open, or would fill it up: sockets, pipes, watched and open files, timers. */
export type Held = ReadonlyMap<string, number>;

/** How long what was closed may take to be gone. */
const CLOSING_MS = 3_000;

export function held(): Held {
  const counts = new Map<string, number>();
  const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const name of process.getActiveResourcesInfo?.() ?? []) add(name);
  for (const link of openFiles()) add(link);
  return counts;
}

/** What is held now and was not before, once everything that is closing has closed. */
export async function heldSince(before: Held): Promise<string[]> {
  const until = performance.now() + CLOSING_MS;
  for (;;) {
    const more = [...held()].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name);
    if (more.length === 0 || performance.now() > until) return more;
    await delay(20);
  }
}

/** Kinds of what is open: two sockets have different numbers, and the one that was there before may be another. */
function openFiles(): string[] {
  const links: string[] = [];
  for (const fd of readdirSync("/proc/self/fd")) {
    try {
      links.push(readlinkSync(`/proc/self/fd/${fd}`).replace(/:\[\d+\]$/, ""));
    } catch {
      // It was the listing's own.
    }
  }
  // What the runtime opens for itself, when it first needs it.
  return links.filter((link) => !/^(anon_inode|\/dev\/|\/proc\/)/.test(link)).map((link) => `open ${link}`);
}
