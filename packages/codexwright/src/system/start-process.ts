import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";

/**
 * Starts a program and resolves once it runs.
 *
 * Rejects with `resource_exhausted` if a limit of the system is reached, else with the system's error. Node reports
 * these failures in three ways: it throws (ENOMEM), it emits `error` on a child whose streams were never made (EMFILE,
 * ENFILE), or it emits `error` on one that has them. Touch `stdin` and `stdout` only after this has resolved.
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
    // A later failure, such as a signal that cannot be sent, must not end our process.
    child.on("error", () => {});
    return child;
  } catch (error) {
    throw resourceExhausted(`starting ${command}`, error) ?? error;
  }
}
