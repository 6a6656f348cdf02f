/** The exit codes of the command. docs/cli/exit-codes-and-json.md documents them for users. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  auth: 4,
  limit: 5,
  database: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error of the command itself: what happened, how to fix it, and the exit code. */
export class CommandError extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;
  /** How to fix the problem, one line each. */
  readonly advice: readonly string[];

  constructor(code: string, exitCode: ExitCode, message: string, advice: readonly string[] = []) {
    super(message);
    this.name = "CommandError";
    this.code = code;
    this.exitCode = exitCode;
    this.advice = advice;
  }
}

/** An error for an invalid command line. */
export function usageError(message: string): CommandError {
  return new CommandError("usage", EXIT.usage, message);
}
