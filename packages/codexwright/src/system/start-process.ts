import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";

/**
 * Starts a program and resolves when it runs.
 *
 * If a system limit prevents the start, rejects with `resource_exhausted`. If the program cannot be started for another
 * reason, rejects with the system's error. Node reports such failures in three ways: it throws (ENOMEM), it emits
 * `error` on a child without streams (EMFILE, ENFILE), or it emits `error` on a child with streams. Do not use `stdin`
 * and `stdout` before this resolves.
 */
export async function startProcess(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<ChildProcess> {
  try {
    const child = spawn(command, args, options);
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    // A later error, such as a signal that cannot be sent, must not crash our process.
    child.on("error", () => {});
    return child;
  } catch (error) {
    throw resourceExhausted(`starting ${command}`, error) ?? error;
  }
}
