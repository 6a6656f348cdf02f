export type CheckStatus = "ok" | "warn" | "fail" | "skipped";

/** The result of one check of a fleet. */
export interface FleetCheck {
  readonly name:
    | "node"
    | "git"
    | "bash"
    | "workflow"
    | "codex"
    | "tracker"
    | "labels"
    | "disk"
    | "state"
    | "fleet";
  readonly status: CheckStatus;
  /** The finding, in one line. */
  readonly message: string;
  /** How to fix the problem, one line each. */
  readonly advice: readonly string[];
}

/** A result without its name, which the runner adds. */
export type Finding = Omit<FleetCheck, "name">;

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
