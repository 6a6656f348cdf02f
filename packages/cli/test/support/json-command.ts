import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { COMMAND, type CommandOptions } from "./command.ts";
import { jsonLines, type Line } from "./json-lines.ts";

/** How to start the command. */
export type StartOptions = Omit<CommandOptions, "stdin">;

/** The built command with `--json`, running without a terminal. Disposing kills it. */
export class RunningCommand implements AsyncDisposable {
  readonly lines: Line[] = [];
  /** Resolves with the exit code when all output was read, or with `null` if a signal ended it. */
  readonly exit: Promise<number | null>;
  stderr = "";
  readonly #child: ChildProcess;
  readonly #waiting = new Set<() => void>();
  #over = false;

  constructor(args: readonly string[], { cwd, env }: StartOptions = {}) {
    const merged = Object.entries({ ...process.env, ...env }).filter(([, value]) => value !== undefined);
    this.#child = spawn(process.execPath, [COMMAND, ...args], {
      cwd,
      env: Object.fromEntries(merged),
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    createInterface({ input: this.#child.stdout! }).on("line", (line) => {
      this.lines.push(JSON.parse(line) as Line);
      this.#wake();
    });
    this.exit = new Promise((resolve) => {
      this.#child.once("close", (code) => {
        this.#over = true;
        resolve(code);
        this.#wake();
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Resolves with the first line of this type that meets the condition, now or later. */
  async line(type: string, condition: (line: Line) => boolean = () => true): Promise<Line> {
    for (;;) {
      const found = this.lines.find((line) => line.type === type && condition(line));
      if (found) return found;
      if (this.#over)
        throw new Error(`it ended without ${type}: ${JSON.stringify(this.lines)} ${this.stderr}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#over) this.#child.kill("SIGKILL");
    await this.exit;
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/** Runs the command until it exits, and checks that its lines are as documented. */
export async function runCommand(
  args: readonly string[],
  options: StartOptions = {},
): Promise<{ code: number | null; lines: readonly Line[]; stderr: string }> {
  await using command = new RunningCommand(args, options);
  const code = await command.exit;
  const stdout = command.lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return { code, lines: await jsonLines(stdout), stderr: command.stderr };
}
