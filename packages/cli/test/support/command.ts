import { spawn } from "node:child_process";
import path from "node:path";

/** The built command. */
export const COMMAND: string = path.resolve(import.meta.dirname, "../../dist/codexwright.js");

export interface CommandOptions {
  readonly cwd?: string;
  /** Laid over ours; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** All of stdin; default: it is empty. */
  readonly stdin?: string;
  /** The program; default: the built command. */
  readonly program?: string;
}

/** A command that runs without a terminal. */
export interface RunningCommand {
  readonly done: Promise<{
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
  /** Resolves when the text stands in its stdout. */
  shows(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the built command with pipes for its streams. */
export function start(
  args: readonly string[],
  { cwd, env, stdin = "", program = COMMAND }: CommandOptions = {},
): RunningCommand {
  const merged = { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env };
  const child = spawn(process.execPath, [program, ...args], { cwd, env: merged });
  let stdout = "";
  let stderr = "";
  const heard: (() => void)[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    for (const wake of heard.splice(0)) wake();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {}).end(stdin);
  const done = new Promise<Awaited<RunningCommand["done"]>>((resolve) => {
    child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
  return {
    done,
    shows: async (text) => {
      while (!stdout.includes(text)) await new Promise<void>((resolve) => heard.push(resolve));
    },
    kill: (signal) => void child.kill(signal),
  };
}

/** Runs the built command to its end. */
export async function command(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Awaited<RunningCommand["done"]>> {
  return await start(args, options).done;
}
