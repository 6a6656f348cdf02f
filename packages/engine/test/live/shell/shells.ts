import { mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Shell, ShellCommand, ShellProcess } from "@codexwright/engine";
import { nodeShell, type NodeShellOptions } from "@codexwright/engine/node";

/** A shell in a folder of its own. Disposal closes the shell, kills what is left, and removes the folder. */
export interface TestShell extends AsyncDisposable {
  readonly shell: Shell;
  readonly folder: string;
  /** Starts a script of bash and collects its output. */
  start(script: string, more?: Partial<ShellCommand>): Promise<Started>;
  /** Starts a script and waits for its end. */
  run(script: string, more?: Partial<ShellCommand>): Promise<Ended>;
}

export interface Started {
  readonly child: ShellProcess;
  readonly output: Output;
}

export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Collects the output of a command. */
export class Output {
  bytes = 0;
  readonly #texts = { stdout: "", stderr: "" };
  readonly #watchers = new Set<() => void>();

  readonly add = (bytes: Uint8Array, stream: "stdout" | "stderr"): void => {
    this.bytes += bytes.length;
    // A flood is only counted.
    if (this.bytes < 1_000_000) this.#texts[stream] += Buffer.from(bytes).toString("latin1");
    for (const look of Array.from(this.#watchers)) look();
  };

  get stdout(): string {
    return Buffer.from(this.#texts.stdout, "latin1").toString();
  }

  get stderr(): string {
    return Buffer.from(this.#texts.stderr, "latin1").toString();
  }

  /** Resolves when the output contains this text. */
  contains(text: string): Promise<void> {
    return this.until(() => this.stdout.includes(text));
  }

  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }
}

export async function testShell(options: NodeShellOptions = {}): Promise<TestShell> {
  const folder = await mkdtemp(path.join(await realpath(tmpdir()), "codexwright-shell-"));
  const shell = nodeShell({ env: { ...process.env, HOME: folder, BASH_ENV: undefined }, ...options });
  const start = async (script: string, more: Partial<ShellCommand> = {}): Promise<Started> => {
    const output = new Output();
    const argv = ["/bin/bash", "-c", script];
    const child = await shell.start({ argv, cwd: folder, onData: output.add, ...more });
    return { child, output };
  };
  return {
    shell,
    folder,
    start,
    async run(script, more) {
      const { child, output } = await start(script, more);
      const exitCode = await child.exited;
      return { exitCode, stdout: output.stdout, stderr: output.stderr };
    },
    async [Symbol.asyncDispose]() {
      await shell.close?.();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The processes whose working directory is in a folder. */
export async function processesIn(folder: string): Promise<number[]> {
  const { readlink } = await import("node:fs/promises");
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found: number[] = [];
  for (const pid of pids) {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => "");
    if (cwd === folder && (await isAlive(pid))) found.push(Number(pid));
  }
  return found;
}

async function isAlive(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  return stat !== "" && !/\) [ZX] /.test(stat);
}

/** Resolves when no process has its working directory in the folder. */
export async function emptied(folder: string): Promise<void> {
  while ((await processesIn(folder)).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}
