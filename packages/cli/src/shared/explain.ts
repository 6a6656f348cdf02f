import { CodexError, ConnectionClosedError, TurnFailedError } from "codexwright";
import { CommandError } from "./command-error.ts";
import { clean } from "./text.ts";

/** An error as a person or a program is told of it. */
export interface Explanation {
  readonly code: string;
  /** What happened, in one line. */
  readonly message: string;
  /** What to do, where we know, a line each. */
  readonly advice: readonly string[];
}

const LONGEST = 400;

export function explain(error: unknown): Explanation {
  // Codes of others, such as Node's, are none that we document.
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

/** The library names its own options, which are called otherwise on the command line, or are none there. */
function ourWords(message: string, code: string): string {
  if (code === "codex_not_found") {
    return message
      .replaceAll(/(the option )?\bcodexPath\b/g, "--codex-path")
      .replace("npm install @openai", "npm install -g @openai");
  }
  return message.replace(/ \(option \w+\)$/, "");
}

/** What the server said before it ended: its error where it names one, as a backtrace may stand behind it. */
function lastWords(error: unknown): string[] {
  if (!(error instanceof ConnectionClosedError)) return [];
  const lines = error.stderrTail?.trim().split("\n") ?? [];
  const last = lines.findLast((line) => line.startsWith("Error: ")) ?? lines.at(-1);
  return last ? [`Its last words: ${last}`] : [];
}

function adviceOn(error: unknown): readonly string[] {
  if (error instanceof CommandError) return error.advice;
  if (!(error instanceof CodexError)) return [];
  switch (error.code) {
    case "codex_not_found":
    case "startup_timeout":
    case "connection_closed":
      return ["`codexwright doctor` tells what is wrong with the set-up."];
    case "resource_exhausted":
      return ["Raise the limit that is named, or end other programs, and try again."];
    case "auth_failed":
      return ["Log in with `codexwright login`."];
    case "thread_archived":
      return ["Bring it back with `codexwright threads unarchive <id>`."];
    case "thread_not_found":
    case "no_rollout":
      return ["`codexwright threads list` shows the threads there are."];
    case "active_writer":
      return ["Another program works on this thread: end that, or `codexwright run --fork <id>`."];
    default:
      return error instanceof TurnFailedError && isLoginMissing(error)
        ? ["Log in with `codexwright login`."]
        : [];
  }
}

function isLoginMissing(error: TurnFailedError): boolean {
  return error.codexErrorInfo === "unauthorized" || error.httpStatus === 401;
}
