import { CodexError } from "./errors.ts";

/** The system error codes for exhausted resources, each with the limit that was reached. */
const LIMITS: Readonly<Record<string, string>> = {
  EMFILE: "open files (ulimit -n)",
  ENFILE: "open files on this machine (fs.file-max)",
  EAGAIN: "processes and threads of this user (ulimit -u) or group (pids.max)",
  ENOMEM: "memory of this machine or its limit (ulimit -v, memory.max)",
};

/** The system refused a process, a file or a socket because a limit was reached. The message names the limit. */
export class ResourceExhaustedError extends CodexError {
  readonly code = "resource_exhausted";
  /** The system error code: `EMFILE`, `ENFILE`, `EAGAIN` or `ENOMEM`. */
  readonly limit: string;

  constructor(what: string, limit: string, cause: unknown) {
    super(`${what} failed with ${limit}: no more ${LIMITS[limit] ?? "resources"}`, {
      cause,
      delivery: "notSent",
    });
    this.limit = limit;
  }
}

/** Returns the typed error if `error` means that a system limit was reached, else `undefined`. */
export function resourceExhausted(what: string, error: unknown): ResourceExhaustedError | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  if (typeof code !== "string" || !Object.hasOwn(LIMITS, code)) return undefined;
  return new ResourceExhaustedError(what, code, error);
}
