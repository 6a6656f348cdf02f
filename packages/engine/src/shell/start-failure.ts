import { resourceExhausted } from "codexwright/internal";
import { CommandStartError } from "../core/commands/errors.ts";

/** The system's words for the errors of a start, with their numbers on Linux. Codex uses the same words. */
const WORDS: Readonly<Record<string, string>> = {
  EPERM: "Operation not permitted (os error 1)",
  ENOENT: "No such file or directory (os error 2)",
  E2BIG: "Argument list too long (os error 7)",
  ENOEXEC: "Exec format error (os error 8)",
  EACCES: "Permission denied (os error 13)",
  ENOTDIR: "Not a directory (os error 20)",
  ELOOP: "Too many levels of symbolic links (os error 40)",
  ENAMETOOLONG: "File name too long (os error 36)",
};

/** Returns the typed error for a command that the system did not start. */
export function startFailure(error: unknown): Error {
  const exhausted = resourceExhausted("starting a command", error);
  if (exhausted) return exhausted;
  const errno = (error as { readonly code?: unknown } | null)?.code;
  if (errno === "ERR_INVALID_ARG_VALUE") return nulByte();
  if (typeof errno === "string" && Object.hasOwn(WORDS, errno)) return refusal(errno, error);
  const text = error instanceof Error ? error.message : String(error);
  return new CommandStartError(text, {
    cause: error,
    errno: typeof errno === "string" ? errno : undefined,
  });
}

/** The error for a start that the system would refuse with this error code. */
export function refusal(errno: string, cause?: unknown): CommandStartError {
  return new CommandStartError(WORDS[errno] ?? errno, { cause, errno });
}

export function nulByte(): CommandStartError {
  return new CommandStartError("nul byte found in provided data");
}
