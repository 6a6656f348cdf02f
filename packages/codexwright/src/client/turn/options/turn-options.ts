import type { TurnStartParams } from "../../../protocol/index.ts";
import { InvalidArgumentError } from "../../../rpc/errors.ts";
import * as is from "../../../rpc/options/check.ts";
import type { Table } from "../../../rpc/options/table.ts";
import {
  APPROVAL,
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

/** When a turn is given up. */
export const TURN_LIMITS: Table<Pick<TurnOptions, "signal" | "timeoutMs" | "silenceMs">> = {
  signal: is.signal,
  timeoutMs: is.milliseconds,
  silenceMs: is.milliseconds,
};

/** The server validates the values of those without a check. */
export const TURN_OPTIONS: Table<TurnOptions> = {
  ...TURN_LIMITS,
  approvalPolicy: is.orNull(APPROVAL),
  sandboxPolicy: is.orNull(is.object),
  model: is.orNull(is.text),
  cwd: is.orNull(is.text),
  disabledPluginIds: is.anything,
  clientUserMessageId: is.anything,
  turnTrigger: is.anything,
  parentTurnId: is.anything,
  rootTurnId: is.anything,
  toolOutput: is.anything,
  responsesapiClientMetadata: is.anything,
  responsesapiClientMetadataPatch: is.anything,
  additionalContext: is.anything,
  environments: is.anything,
  runtimeWorkspaceRoots: is.anything,
  approvalsReviewer: is.anything,
  permissions: is.anything,
  serviceTier: is.anything,
  serviceTierForTurn: is.anything,
  effort: is.anything,
  summary: is.anything,
  personality: is.anything,
  collaborationMode: is.anything,
  multiAgentMode: is.anything,
  cyberAccessProgram: is.anything,
};

/** The limits, which are ours, apart from the overrides, which are the server's. */
export function splitTurnOptions(
  options: TurnOptions,
  client: { readonly turnSilenceMs: number; serverVersion(): string },
): {
  limits: { signal: AbortSignal | undefined; timeoutMs: number; silenceMs: number };
  overrides: Omit<TurnStartParams, "threadId" | "input">;
} {
  const {
    signal,
    timeoutMs = 0,
    silenceMs = client.turnSilenceMs,
    approvalPolicy,
    sandboxPolicy,
    ...wire
  } = options;
  if (sandboxPolicy && wire.permissions) {
    throw new InvalidArgumentError("sandboxPolicy and permissions exclude each other: give one of them");
  }
  return {
    limits: { signal, timeoutMs, silenceMs },
    overrides: {
      ...(wire as Omit<TurnStartParams, "threadId" | "input">),
      ...(sandboxPolicy && { sandboxPolicy: toSandboxPolicy(sandboxPolicy) }),
      ...(approvalPolicy && { approvalPolicy: toApprovalPolicy(approvalPolicy, client.serverVersion()) }),
    },
  };
}
