import { CodexError, ConnectionClosedError, TurnFailedError } from "codexwright";
import { clean } from "./render.ts";

const LONGEST = 400;

/** An error in one line: its code, what happened, and what to do where we know. */
export function explain(error: unknown): string {
  const { code = "unexpected", message = String(error) } = error as { code?: string; message?: string };
  const what = [message, lastWords(error), adviceOn(error)].filter((part) => part !== "").join(" ");
  const line = clean(what).replaceAll(/\s+/g, " ").trim();
  return `${code}: ${line.length > LONGEST ? `${line.slice(0, LONGEST)} …` : line}`;
}

function lastWords(error: unknown): string {
  if (!(error instanceof ConnectionClosedError)) return "";
  const last = error.stderrTail?.trim().split("\n").at(-1);
  return last ? `Its last words: ${last}` : "";
}

function adviceOn(error: unknown): string {
  if (!(error instanceof CodexError)) return "";
  switch (error.code) {
    case "startup_timeout":
      return "See whether `npx codex app-server` starts by itself.";
    case "connection_closed":
      return "Run it again; if it stays so, `npx codex doctor` may tell why.";
    case "turn_timeout":
      return "See whether the model's provider can be reached, then run it again.";
    default:
      return error instanceof TurnFailedError && isLoginMissing(error)
        ? "Log in with `npx codex login`."
        : "";
  }
}

function isLoginMissing(error: TurnFailedError): boolean {
  return error.codexErrorInfo === "unauthorized" || error.httpStatus === 401;
}
