import { readdirSync, readFileSync } from "node:fs";

/** One process of this machine, as /proc describes it. */
export interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly words: readonly string[];
  readonly environment: string;
}

/**
 * A list of processes is reused for this time. Reading all of /proc takes milliseconds, and many runs need the list at
 * the same time.
 */
const FRESH_MS = 10;

let last: { readonly at: number; readonly all: readonly Seen[] } | undefined;

/** Every process of the machine, except zombies. */
export function processes(): readonly Seen[] {
  if (last === undefined || performance.now() - last.at > FRESH_MS) {
    const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? look(name) : []));
    last = { at: performance.now(), all };
  }
  return last.all;
}

function look(pid: string): Seen[] {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    if (state === "Z" || state === "X") return [];
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
    return [{ pid: Number(pid), parent: Number(parent), words, environment }];
  } catch {
    return []; // The process has ended in the meantime.
  }
}
