import { spawn } from "node:child_process";
import type { Shell } from "../../core/ports.ts";

/** A stand-in for the shell of this machine: pipes only, no limits. */
export function spawningShell(variables: Readonly<Record<string, string | undefined>>): Shell {
  const running = new Set<() => void>();
  return {
    async close() {
      for (const kill of running) kill();
      await Promise.resolve();
    },
    async start({ argv: [program = "", ...args], cwd, env, stdin, onData }) {
      await Promise.resolve();
      const all = Object.entries({ ...variables, ...env }).filter(([, value]) => value !== null);
      const child = spawn(program, args, {
        cwd,
        env: Object.fromEntries(all) as NodeJS.ProcessEnv,
        detached: true,
        stdio: "pipe",
      });
      const at: { exitCode: number | undefined } = { exitCode: undefined };
      const kill = (): void => {
        if (child.pid === undefined || at.exitCode !== undefined) return;
        try {
          process.kill(-child.pid, "SIGKILL");
        } catch {
          // It has ended.
        }
      };
      running.add(kill);
      const exited = new Promise<number>((resolve) => {
        const end = (code: number): void => {
          running.delete(kill);
          resolve((at.exitCode ??= code));
        };
        child.once("error", () => end(127));
        child.once("close", (code) => end(code ?? 137));
      });
      child.stdin.on("error", () => {});
      if (stdin !== true) child.stdin.end();
      for (const stream of ["stdout", "stderr"] as const) {
        child[stream].on("data", (bytes: Buffer) => onData(bytes, stream));
      }
      return {
        get exitCode() {
          return at.exitCode;
        },
        exited,
        write: (bytes) => new Promise((resolve) => void child.stdin.write(bytes, () => resolve())),
        end: () => void child.stdin.end(),
        kill,
      };
    },
  };
}
