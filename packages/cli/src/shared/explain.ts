import { CodexError, ConnectionClosedError, TurnFailedError } from "codexwright";
import { CommandError } from "./command-error.ts";
import { clean } from "./text.ts";

/** An error as it is reported to people and programs. */
export interface Explanation {
  readonly code: string;
  /** The error, in one line. */
  readonly message: string;
  /** How to fix the problem, if known, one line each. */
  readonly advice: readonly string[];
}

const LONGEST = 400;

export function explain(error: unknown): Explanation {
  // Foreign codes, such as Node's, are not documented.
  const code = error instanceof CodexError || error instanceof CommandError ? error.code : "unexpected";
  const message = ourWords(error instanceof Error ? error.message : String(error), code);
  const line = clean([message, ...lastWords(error)].join(". "))
    .replaceAll(/\s+/g, " ")
    .trim();
  return {
    code,
    message: line.length > LONGEST ? `${line.slice(0, LONGEST)} …` : line,
    advice: adviceOn(error),
  };
}

/**
 * Replaces option names of the library with those of the command line, or removes them if there is no matching flag.
 */
function ourWords(message: string, code: string): string {
  if (code === "codex_not_found") {
    return message
      .replaceAll(/(the option )?\bcodexPath\b/g, "--codex-path")
      .replace("npm install @openai", "npm install -g @openai");
  }
  return message.replace(/ \(option \w+\)$/, "");
}

/** Returns the last output of a server that ended. Prefers its error line, because a backtrace may follow it. */
function lastWords(error: unknown): string[] {
  if (!(error instanceof ConnectionClosedError)) return [];
  const lines = error.stderrTail?.trim().split("\n") ?? [];
  const last = lines.findLast((line) => line.startsWith("Error: ")) ?? lines.at(-1);
  return last ? [`Its last output: ${last}`] : [];
}

function adviceOn(error: unknown): readonly string[] {
  if (error instanceof CommandError) return error.advice;
  if (!(error instanceof CodexError)) return [];
  switch (error.code) {
    case "codex_not_found":
    case "startup_timeout":
    case "connection_closed":
      return ["Run `codexwright doctor` to find problems with the set-up."];
    case "resource_exhausted":
      return ["Raise the named limit, or stop other programs, and try again."];
    case "auth_failed":
      return ["Log in with `codexwright login`."];
    case "thread_archived":
      return ["Restore it with `codexwright threads unarchive <id>`."];
    case "thread_not_found":
    case "no_rollout":
      return ["Run `codexwright threads list` to see the threads."];
    case "active_writer":
      return ["Another program is using this thread: stop it, or use `codexwright run --fork <id>`."];
    case "fleet_not_running":
      return [
        "Start it with `codexwright fleet up`.",
        "If it runs with another WORKFLOW.md or another --data, name the same one here.",
      ];
    case "fleet_already_runs":
      return ["See it with `codexwright fleet status`, or end it with `codexwright fleet drain`."];
    case "missing_workflow_file":
      return ["Name the file, or make one with `codexwright fleet init`."];
    case "issue_not_found":
      return ["Run `codexwright fleet status` to see the issues of the fleet."];
    case "database_unavailable":
      return ["Check that the database runs, and the key `database.url` of WORKFLOW.md."];
    default:
      return error instanceof TurnFailedError && isLoginMissing(error)
        ? ["Log in with `codexwright login`."]
        : [];
  }
}

function isLoginMissing(error: TurnFailedError): boolean {
  return error.codexErrorInfo === "unauthorized" || error.httpStatus === 401;
}
