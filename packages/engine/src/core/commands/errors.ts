import { CodexError } from "codexwright/rpc";

/** The system did not start a command. The message is that of the system, such as "No such file or directory". */
export class CommandStartError extends CodexError {
  readonly code = "command_not_started";
  /** The system error code, such as "ENOENT", if there is one. */
  readonly errno: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly errno?: string | undefined } = {}) {
    super(message, { ...options, delivery: "notSent" });
    this.errno = options.errno;
  }
}

/** A policy restricts a command, but this machine cannot enforce the policy. The message says what is missing. */
export class NoSandboxError extends CodexError {
  readonly code = "no_sandbox";

  constructor(why: string) {
    super(`the command was not run, because its sandbox is not ready: ${why}`, { delivery: "notSent" });
  }
}

/** A command does not read its stdin, so no more input was accepted. */
export class StdinFullError extends CodexError {
  readonly code = "stdin_full";

  constructor(limit: number) {
    super(`the command does not read its stdin, and at most ${limit} bytes wait for it`, {
      delivery: "notSent",
    });
  }
}
