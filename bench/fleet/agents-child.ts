import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The process of the agents, see agents.ts. */
export class Agents implements AsyncDisposable {
  /** The path of the fake's executable. */
  readonly executable: string;
  readonly #process: ChildProcess;

  private constructor(executable: string, process: ChildProcess) {
    this.executable = executable;
    this.#process = process;
  }

  static async start(): Promise<Agents> {
    const program = fileURLToPath(new URL("agents.js", import.meta.url));
    const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
    const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    return new Agents(line.trim(), child);
  }

  /** The setting `codex.command`. */
  get command(): string {
    return `exec '${this.executable}' app-server`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#process, "exit");
    this.#process.stdin?.end();
    await gone;
  }
}
