import { appendFileSync, readFileSync } from "node:fs";

/*
 * The ledger of agents: lines that the agents append themselves. The fleet neither writes nor reads it. An entry is one
 * `write` to a file that is opened for appending, so entries of several processes never mix.
 */

/** The kind of a line. A command is a program that an agent runs. */
export type What = "begin" | "alive" | "end" | "met" | "command" | "committed" | "dirty" | "mixed";

export interface Entry {
  /** Seconds since the start of the machine. */
  readonly at: number;
  readonly what: What;
  readonly issue: string;
  readonly pid: number;
  /** When the process of the agent started. Empty for a command. */
  readonly began: string;
  /** With `met`: the issues of the other agents that lived then. */
  readonly note: string;
}

export class Ledger {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  entries(): readonly Entry[] {
    return this.#text()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [at = "", what = "", issue = "", pid = "", began = "", ...note] = line.split(" ");
        return { at: Number(at), what: what as What, issue, pid: Number(pid), began, note: note.join(" ") };
      });
  }

  write(what: What, issue: string, note = ""): void {
    const { pid } = process;
    appendFileSync(this.file, `${uptime()} ${what} ${issue} ${pid} ${startOf(pid) ?? ""} ${note}\n`);
  }

  /** Returns the beginnings of the agents that live now. */
  living(): readonly Entry[] {
    return this.entries().filter((entry) => entry.what === "begin" && isAlive(entry));
  }

  #text(): string {
    try {
      return readFileSync(this.file, "utf8");
    } catch {
      return "";
    }
  }
}

/** Process ids are reused. */
export function isAlive({ pid, began }: Entry): boolean {
  return startOf(pid) === began;
}

/** Seconds since the start of the machine, which all processes read from the same clock. */
export function uptime(): number {
  return Number.parseFloat(readFileSync("/proc/uptime", "latin1"));
}

/** undefined if the process has ended. */
function startOf(pid: number): string | undefined {
  try {
    // The name of the program is in brackets, and can contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
