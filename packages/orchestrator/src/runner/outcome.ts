import { AgentError } from "codexwright/agent";
import { TrackerError, WorkflowError } from "../domain/errors.ts";
import type { FailureCode, Outcome } from "../domain/outcome.ts";

/** The library's codes, and the names of SPEC.md section 10.6 for them. */
const CODES: Readonly<Record<string, FailureCode>> = {
  codex_not_found: "codex_not_found",
  startup_timeout: "response_timeout",
  request_timeout: "response_timeout",
  turn_timeout: "turn_timeout",
  connection_closed: "port_exit",
  not_connected: "port_exit",
  rpc: "response_error",
  overloaded: "response_error",
  auth_failed: "response_error",
  unexpected_answer: "response_error",
  response_error: "response_error",
  turn_failed: "turn_failed",
  turn_interrupted: "turn_cancelled",
  deadline_exceeded: "session_limit",
};

const DISK_FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** A message is stored and shown in lists. */
const LONGEST_MESSAGE = 2000;

/** Names the failure of a run by the typed error that ended it. */
export function failureOf(error: unknown, clean: (text: string) => string): Outcome & { kind: "failed" } {
  return { kind: "failed", code: codeOf(error), message: clean(messageOf(error)).slice(0, LONGEST_MESSAGE) };
}

function codeOf(error: unknown): FailureCode {
  const causes = causesOf(error);
  if (causes.some((each) => DISK_FULL.has(String((each as NodeJS.ErrnoException).code)))) return "disk_full";
  // A completion check that failed because of the tracker has its error as the cause.
  if (causes.some((each) => each instanceof TrackerError)) return "tracker_error";
  if (error instanceof WorkflowError) {
    return error.code === "template_parse_error" ? error.code : "template_render_error";
  }
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && Object.hasOwn(CODES, code) ? (CODES[code] as FailureCode) : "unexpected";
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const stderr = error instanceof AgentError ? error.stderrTail?.trim() : undefined;
  return stderr === undefined || stderr === "" ? message : `${message}; stderr: ${stderr.slice(-500)}`;
}

/** The error, and the errors that caused it. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let each = error; each instanceof Error && causes.length < 10; each = each.cause) causes.push(each);
  return causes;
}

/** When the tracker may be asked again, as an ISO time, if the run failed because the tracker limits requests. */
export function retryAtOf(error: unknown): string | undefined {
  const limit = causesOf(error).find((each) => each instanceof TrackerError && each.retryAt !== undefined);
  return limit instanceof TrackerError ? new Date(limit.retryAt ?? 0).toISOString() : undefined;
}

/** Whether the turn failed because the usage limit of the account is reached. */
export function isUsageLimit(error: unknown): boolean {
  return error instanceof AgentError && error.codex?.info === "usageLimitExceeded";
}
