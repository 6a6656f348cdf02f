import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** One message of a child: a JSON object on a line, with the time at which it was said. */
export interface Said {
  readonly at: number;
  readonly [field: string]: unknown;
}

/** Memory after a garbage collection, and CPU time so far. */
export interface Usage {
  readonly rssMb: number;
  readonly cpuMs: number;
}

/** The time of this machine in milliseconds, comparable between processes. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** A process of a benchmark that reports on stdout, takes orders on stdin, and ends when its stdin closes. */
export class Child implements AsyncDisposable {
  readonly startedAt = now();
  readonly said: Said[] = [];
  readonly #process: ChildProcess;
  readonly #waiting = new Set<() => void>();
  #hasEnded = false;

  /**
   * @param program a module in this folder, without its extension
   * @param home the home of the child's user. Default: that of this process
   */
  constructor(program: string, options: object = {}, home?: string) {
    const module = fileURLToPath(new URL(`${program}.js`, import.meta.url));
    const args = ["--expose-gc", module, JSON.stringify(options)];
    const env = { ...process.env, ...(home !== undefined && { HOME: home }) };
    this.#process = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "inherit"] });
    if (this.#process.stdout === null) throw new Error("a child has no stdout");
    createInterface({ input: this.#process.stdout })
      .on("line", (line) => {
        this.said.push(JSON.parse(line) as Said);
        this.#wake();
      })
      .on("close", () => {
        this.#hasEnded = true;
        this.#wake();
      });
  }

  /** Waits until `look` finds something in what was said. Rejects if the child ends before. */
  async until<T>(look: (said: readonly Said[]) => T | undefined): Promise<T> {
    for (;;) {
      const found = look(this.said);
      if (found !== undefined) return found;
      if (this.#hasEnded) throw new Error("a process of the benchmark ended too early");
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Waits until the child has opened what it is for. Most children say an address or a folder then. */
  async opened(): Promise<{ readonly at: number; readonly value: string }> {
    return await this.until((said) => {
      const found = said.find((each) => Object.hasOwn(each, "opened"));
      return found && { at: found.at, value: String(found["opened"]) };
    });
  }

  /** Gives an order, and waits for the answer: the next message with the field of that name. */
  async ask<T>(order: string): Promise<T> {
    const before = this.said.length;
    this.#process.stdin?.write(`${order}\n`);
    const answer = await this.until((said) => said.slice(before).find((each) => Object.hasOwn(each, order)));
    return answer[order] as T;
  }

  async usage(): Promise<Usage> {
    return await this.ask("usage");
  }

  /** As `kill -9` does. */
  async kill(): Promise<void> {
    const gone = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    const gone = once(this.#process, "exit");
    this.#process.stdin?.end();
    await gone;
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
