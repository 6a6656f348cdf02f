import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** A process that can be recognized later, although process ids are reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the words of the system. Contains the boot on Linux. */
  readonly startedAt: string;
}

/** The variable that the library's guard gives to a server, and that the commands of the server inherit. */
const MARK = "CODEXWRIGHT_GUARD=";

/** A killed process may start another one before it ends. So the search repeats until two in a row find nothing. */
const CLEAN = 2;
const MOST_PASSES = 200;
const BETWEEN_MS = 10;

/** undefined if the process has ended. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === "linux" ? startOnLinux(pid) : startByPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  return identityOf(pid)?.startedAt === startedAt;
}

/** The random mark of a server, by which its commands are found. null if the system does not show it. */
export function markOf(pid: number): string | null {
  return environmentOf(pid).find((each) => each.startsWith(MARK)) ?? null;
}

/** Kills the group of a server, and on Linux every process with its mark, until none is left. */
export async function endServer(server: ProcessIdentity, mark: string | null): Promise<void> {
  let clean = 0;
  for (let pass = 0; pass < MOST_PASSES && clean < CLEAN; pass++) {
    const isLeft = isAlive(server);
    if (isLeft) kill(-server.pid, server.pid);
    const marked = mark === null ? [] : pidsWith(mark);
    for (const pid of marked) kill(pid);
    clean = isLeft || marked.length > 0 ? 0 : clean + 1;
    await delay(BETWEEN_MS);
  }
}

function kill(...pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended, or the server did not lead a group.
    }
  }
}

function pidsWith(mark: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(mark));
}

function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    // It has ended, it belongs to another user, or this system has no such file.
    return [];
  }
}

/** A zombie has ended: it only waits for its parent. */
function startOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program is in brackets, and can contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state] = fields;
    if (state === "Z" || state === "X") return undefined;
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()} ${fields[19] ?? ""}`;
  } catch {
    return undefined;
  }
}

function startByPs(pid: number): string | undefined {
  try {
    const text = execFileSync("ps", ["-o", "stat=,lstart=", "-p", `${pid}`], { encoding: "utf8" }).trim();
    return text === "" || text.startsWith("Z") ? undefined : text.replace(/^\S+\s+/, "");
  } catch {
    return undefined;
  }
}
