import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import path from "node:path";

/** The built command. */
export const COMMAND: string = path.resolve(import.meta.dirname, "../../dist/codexwright.js");

export interface CommandOptions {
  readonly cwd?: string;
  /** Merged with our environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** All of stdin; empty by default. `open` keeps it open until `endStdin`. */
  readonly stdin?: string | Uint8Array | { readonly file: string } | { readonly open: true };
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
  /** Resolves when the text appears in stdout, or in the given stream. */
  shows(text: string, stream?: "stdout" | "stderr"): Promise<void>;
  /** The stdout so far. */
  readonly stdout: string;
  /** Writes to stdin, which must be open. */
  write(text: string): void;
  endStdin(text?: string): void;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the built command with pipes for its streams, or with a file as its stdin. */
export function start(
  args: readonly string[],
  { cwd, env, stdin = "", program = COMMAND }: CommandOptions = {},
): RunningCommand {
  const merged = { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env };
  const file = typeof stdin === "object" && "file" in stdin ? openSync(stdin.file, "r") : undefined;
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: merged,
    stdio: [file ?? "pipe", "pipe", "pipe"],
  });
  if (file !== undefined) closeSync(file);
  const texts = { stdout: "", stderr: "" };
  const heard: (() => void)[] = [];
  for (const name of ["stdout", "stderr"] as const) {
    child[name]!.setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
      for (const wake of heard.splice(0)) wake();
    });
  }
  child.stdin?.on("error", () => {});
  if (typeof stdin === "string" || stdin instanceof Uint8Array) child.stdin?.end(stdin);
  const done = new Promise<Awaited<RunningCommand["done"]>>((resolve) => {
    child.on("close", (exitCode) => resolve({ exitCode, ...texts }));
  });
  return {
    done,
    shows: async (text, stream = "stdout") => {
      while (!texts[stream].includes(text)) await new Promise<void>((resolve) => heard.push(resolve));
    },
    get stdout() {
      return texts.stdout;
    },
    write: (text) => void child.stdin?.write(text),
    endStdin: (text = "") => void child.stdin?.end(text),
    kill: (signal) => void child.kill(signal),
  };
}

/** Runs the built command until it exits. */
export async function command(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Awaited<RunningCommand["done"]>> {
  return await start(args, options).done;
}
