import type { TurnStartParams } from "../protocol/index.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { checkMs, checkSignal } from "../rpc/limits.ts";
import type { ThreadHost } from "./thread-route.ts";
import {
  toApprovalPolicy,
  toSandboxPolicy,
  type ApprovalSpelling,
  type SandboxPolicySpelling,
} from "./spelling.ts";

/** The same fields, which may also be given as `undefined`: what is so is not sent. */
export type Undefinable<T> = { [K in keyof T]: T[K] | undefined };

/** Limits and overrides of one turn. Overrides last for the turns after it too, as on the wire. */
export interface TurnOptions extends Undefinable<
  Omit<TurnStartParams, "threadId" | "input" | "outputSchema" | "approvalPolicy" | "sandboxPolicy">
> {
  /** Interrupts the turn and rejects it with `aborted`. */
  signal?: AbortSignal | undefined;
  /** For the whole turn; 0 or absent = no limit. */
  timeoutMs?: number | undefined;
  /** Without a sign of life of the turn; default: the client's `turnSilenceMs`; 0 = no limit. */
  silenceMs?: number | undefined;
  approvalPolicy?: ApprovalSpelling | null | undefined;
  sandboxPolicy?: SandboxPolicySpelling | null | undefined;
}

/** The limits, which are ours, apart from the overrides, which are the server's. */
export function splitTurnOptions(
  options: TurnOptions,
  host: ThreadHost,
): {
  limits: { signal: AbortSignal | undefined; timeoutMs: number; silenceMs: number };
  overrides: Omit<TurnStartParams, "threadId" | "input">;
} {
  const {
    signal,
    timeoutMs = 0,
    silenceMs = host.turnSilenceMs,
    approvalPolicy,
    sandboxPolicy,
    ...wire
  } = options;
  // The server ignores it, and the compiler lets it through where options are shared with `startThread`.
  if ("sandbox" in wire && wire.sandbox !== undefined) {
    throw new InvalidArgumentError(
      'sandbox is of a thread: give the turn a sandboxPolicy, such as { type: "readOnly" }',
    );
  }
  if (sandboxPolicy && wire.permissions) {
    throw new InvalidArgumentError("sandboxPolicy and permissions exclude each other: give one of them");
  }
  checkSignal(signal);
  checkMs("timeoutMs", timeoutMs);
  checkMs("silenceMs", silenceMs);
  return {
    limits: { signal, timeoutMs, silenceMs },
    overrides: {
      ...(wire as Omit<TurnStartParams, "threadId" | "input">),
      ...(sandboxPolicy && { sandboxPolicy: toSandboxPolicy(sandboxPolicy) }),
      ...(approvalPolicy && { approvalPolicy: toApprovalPolicy(approvalPolicy, host.serverVersion()) }),
    },
  };
}
