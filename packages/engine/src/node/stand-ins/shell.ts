import { spawn } from "node:child_process";
import type { Shell } from "../../core/ports.ts";

/** A stand-in for the shell of this machine: pipes only, no limits. */
export function spawningShell(): Shell {
  return {
    start({ argv: [program = "", ...args], cwd, threadId, onData }) {
      const child = spawn(program, args, { cwd, detached: true, stdio: "pipe" });
      const at: { exitCode: number | undefined } = { exitCode: undefined };
      const exited = new Promise<number>((resolve) => {
        const end = (code: number): void => resolve((at.exitCode ??= code));
        child.once("error", () => end(127));
        child.once("close", (code) => end(code ?? 137));
      });
      child.stdin.on("error", () => {});
      // A login profile must not wait for input.
      if (threadId !== undefined) child.stdin.end();
      for (const stream of ["stdout", "stderr"] as const) {
        child[stream].setEncoding("utf8").on("data", (text: string) => onData(text, stream));
      }
      return {
        get exitCode() {
          return at.exitCode;
        },
        exited,
        write: (text) => void child.stdin.write(text),
        end: () => void child.stdin.end(),
        kill() {
          if (child.pid === undefined || at.exitCode !== undefined) return;
          try {
            process.kill(-child.pid, "SIGKILL");
          } catch {
            // It has ended.
          }
        },
      };
    },
  };
}
