import { CodexError, TurnFailedError } from "codexwright";
import { CommandError, EXIT, type ExitCode } from "./command-error.ts";

const BY_CODE: Readonly<Record<string, ExitCode>> = {
  invalid_argument: EXIT.usage,
  codex_not_found: EXIT.notFound,
  thread_not_found: EXIT.notFound,
  thread_archived: EXIT.notFound,
  no_rollout: EXIT.notFound,
  fleet_not_running: EXIT.notFound,
  issue_not_found: EXIT.notFound,
  run_not_found: EXIT.notFound,
  missing_workflow_file: EXIT.notFound,
  auth_failed: EXIT.auth,
  startup_timeout: EXIT.limit,
  request_timeout: EXIT.limit,
  turn_timeout: EXIT.limit,
  budget_exceeded: EXIT.limit,
  resource_exhausted: EXIT.limit,
  database_unavailable: EXIT.database,
  turn_interrupted: EXIT.interrupted,
  aborted: EXIT.interrupted,
};

/** The exit code for an error. An error without a specific code exits with 1. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof TurnFailedError) return exitCodeOfTurn(error);
  if (error instanceof CodexError) return BY_CODE[error.code] ?? EXIT.failed;
  return (error as { code?: unknown } | null)?.code === "ENOENT" ? EXIT.notFound : EXIT.failed;
}

function exitCodeOfTurn({ codexErrorInfo, httpStatus }: TurnFailedError): ExitCode {
  if (codexErrorInfo === "unauthorized" || httpStatus === 401) return EXIT.auth;
  return codexErrorInfo === "usageLimitExceeded" || codexErrorInfo === "sessionBudgetExceeded"
    ? EXIT.limit
    : EXIT.failed;
}
