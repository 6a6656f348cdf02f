import type { EngineHost } from "../host.ts";
import type { ResolvedPolicy, ShellCommand, ShellProcess, WrappedCommand } from "../ports.ts";
import { NoSandboxError } from "./errors.ts";

/** The parts of a host that start commands. */
export type CommandHost = Pick<EngineHost, "shell" | "sandbox" | "failed">;

/**
 * Starts a command. Every command of the engine starts here. If there is a policy, the command runs in the sandbox or
 * not at all: without a sandbox that is ready, this rejects with a `NoSandboxError`. `undefined` means that the policy
 * of the user does not ask for a sandbox, or that the user has approved to run without it.
 *
 * A host without a `sandbox` port runs commands as they are. Only hosts whose shell confines commands itself, or runs
 * none, such as the fake server, have no such port.
 */
export async function startCommand(
  host: CommandHost,
  command: ShellCommand,
  policy: ResolvedPolicy | undefined,
): Promise<ShellProcess> {
  const { sandbox, shell } = host;
  if (!sandbox || !policy) return await shell.start(command);
  const status = await sandbox.status(policy);
  if (!status.ready) throw new NoSandboxError(status.why);
  const wrapped = await sandbox.wrap({ ...command, env: { ...shell.env, ...command.env } }, policy);
  try {
    const child = await shell.start(wrapped.command);
    const ended = (): Promise<void> => release(host, wrapped);
    void child.exited.then(ended, ended);
    return child;
  } catch (error) {
    await release(host, wrapped);
    throw error;
  }
}

/** Releases the sandbox of a command. A failure is recorded, because the command itself has ended. */
async function release(host: CommandHost, wrapped: WrappedCommand): Promise<void> {
  try {
    await wrapped.release();
  } catch (error) {
    host.failed(error);
  }
}
