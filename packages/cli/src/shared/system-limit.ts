import { ResourceExhaustedError } from "codexwright";

const LIMITS: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

/** Turns a system error about an exhausted limit into `resource_exhausted`. Returns other errors unchanged. */
export function namingLimit(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  if (!(error instanceof Error) || typeof code !== "string" || !LIMITS.has(code)) return error;
  return new ResourceExhaustedError("the command", code, error);
}
