import { spawn, type ChildProcess } from "node:child_process";

/** In the environment of a server and of all that it runs: the name of its guard. */
const MARK = "CODEXWRIGHT_GUARD";

/**
 * Waits until its stdin closes, because we closed it or because we were killed. Then it looks so often ($3)
 * whether the server ($1) has ended, ends it and its group, ends every sandbox that bears the mark ($2), and removes
 * a folder ($4). A sandbox that the server had just begun to set up when it died is in no group of ours, and nothing
 * tells it that its parent is gone.
 */
const SCRIPT = `
read -r _
looks=$3
while [ "$looks" -gt 0 ] && kill -0 "$1" && ! grep -qs ") Z " "/proc/$1/stat"; do
  sleep 0.05
  looks=$((looks - 1))
done
kill -s KILL -- "-$1"
for file in $(grep -lszxF -- "$2" /proc/[0-9]*/environ); do
  folder=\${file%/environ}
  grep -qsaF codex-linux-sandbox "$folder/cmdline" && kill -s KILL -- "-\${folder#/proc/}" "\${folder#/proc/}"
done
[ -z "$4" ] || rm -rf -- "$4"
`;

/** A server is not asked to run anything in its first moments, and its user waits for it to start. */
const START_MS = 200;
/** A server that lives ends at once when its stdin closes; from then on it is as dead as we are. */
const GRACE_LOOKS = 40;
/** A sweep takes milliseconds; one that a process of others holds up must not hold us up. */
const SWEEP_MS = 2_000;

/** Sees to it that nothing of a server lives on: not when it dies, and not when we are killed. */
export class Guard {
  /** To be laid over the environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  readonly #mark: string;
  #starting: ReturnType<typeof setTimeout> | undefined;
  #watcher: ChildProcess | undefined;

  constructor() {
    this.#mark = `${MARK}=${crypto.randomUUID()}`;
    this.env = { [MARK]: this.#mark.slice(MARK.length + 1) };
  }

  /** Watches over the server from soon on. */
  watch(pid: number | undefined): void {
    this.#starting = setTimeout(() => this.start(pid, GRACE_LOOKS, ""), START_MS);
    this.#starting.unref();
  }

  /** Watches over the server from now on. */
  start(pid: number | undefined, looks: number, folder: string): void {
    if (pid === undefined || process.platform === "win32") return;
    const args = ["-c", SCRIPT, "codexwright-guard", `${pid}`, this.#mark, `${looks}`, folder];
    // In a session of its own, and in nobody's folder: what kills us by our group or terminal must not kill it.
    const watcher = spawn("/bin/sh", args, {
      cwd: "/",
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    // Without a shell there is no guard, and all else works.
    watcher.on("error", () => {});
    watcher.stdin.on("error", () => {});
    // Neither keeps our process from ending.
    watcher.unref();
    (watcher.stdin as { unref?(): void }).unref?.();
    this.#watcher = watcher;
  }

  /** The server has ended: resolves when nothing of it is left. */
  async end(): Promise<void> {
    clearTimeout(this.#starting);
    const watcher = this.#watcher;
    this.#watcher = undefined;
    if (watcher?.pid === undefined || watcher.exitCode !== null || watcher.signalCode !== null) return;
    watcher.ref();
    const swept = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, SWEEP_MS);
      watcher.once("exit", () => {
        clearTimeout(timer);
        resolve();
      });
    });
    watcher.stdin?.end();
    await swept;
    watcher.unref();
  }
}
