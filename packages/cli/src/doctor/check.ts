export type CheckStatus = "ok" | "warn" | "fail" | "skipped";

/** The result of one check. */
export interface Check {
  readonly name: "binary" | "version" | "config" | "login" | "sandbox" | "round trip" | "engine" | "listen";
  readonly status: CheckStatus;
  /** The finding, in one line. */
  readonly message: string;
  /** How to fix the problem, one line each. */
  readonly advice: readonly string[];
}

/** The result of a check without its name, which the runner adds. */
export type Finding = Omit<Check, "name">;

export function ok(message: string): Finding {
  return { status: "ok", message, advice: [] };
}

export function warn(message: string, ...advice: readonly string[]): Finding {
  return { status: "warn", message, advice };
}

export function fail(message: string, ...advice: readonly string[]): Finding {
  return { status: "fail", message, advice };
}

export function skipped(message: string): Finding {
  return { status: "skipped", message, advice: [] };
}
