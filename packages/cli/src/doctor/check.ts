export type CheckStatus = "ok" | "warn" | "fail" | "skipped";

/** One thing that was looked at. */
export interface Check {
  readonly name: "binary" | "version" | "config" | "login" | "sandbox" | "round trip" | "listen";
  readonly status: CheckStatus;
  /** What was found, in a line. */
  readonly message: string;
  /** What to do about it, a line each. */
  readonly advice: readonly string[];
}

/** What a check found; the runner knows its name. */
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
