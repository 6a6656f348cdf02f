import { ResourceExhaustedError } from "codexwright";

const LIMITS: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

/** An error of the system that means that a limit is reached as `resource_exhausted`; others as they are. */
export function namingLimit(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  if (!(error instanceof Error) || typeof code !== "string" || !LIMITS.has(code)) return error;
  return new ResourceExhaustedError("the command", code, error);
}
