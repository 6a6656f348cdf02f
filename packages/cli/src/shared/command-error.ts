/** What the command exits with; docs/cli/exit-codes-and-json.md says the same to users. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  auth: 4,
  limit: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An end that the command itself decides on: what happened, what to do, and the exit code that tells. */
export class CommandError extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;
  /** What to do about it, a line each. */
  readonly advice: readonly string[];

  constructor(code: string, exitCode: ExitCode, message: string, advice: readonly string[] = []) {
    super(message);
    this.name = "CommandError";
    this.code = code;
    this.exitCode = exitCode;
    this.advice = advice;
  }
}

/** The command line makes no sense. */
export function usageError(message: string): CommandError {
  return new CommandError("usage", EXIT.usage, message);
}
