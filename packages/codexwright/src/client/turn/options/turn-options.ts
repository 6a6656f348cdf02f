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

/** The same fields, each of which may also be `undefined`. Undefined fields are not sent. */
export type Undefinable<T> = { [K in keyof T]: T[K] | undefined };

/** Limits and overrides of one turn. As on the wire, overrides also apply to all later turns of the thread. */
export interface TurnOptions extends Undefinable<
  Omit<TurnStartParams, "threadId" | "input" | "outputSchema" | "approvalPolicy" | "sandboxPolicy">
> {
  /** Interrupts the turn and rejects it with `aborted`. */
  signal?: AbortSignal | undefined;
  /** Time limit for the whole turn; 0 or absent = no limit. */
  timeoutMs?: number | undefined;
  /** How long the turn may be silent; default: the client's `turnSilenceMs`; 0 = no limit. */
  silenceMs?: number | undefined;
  approvalPolicy?: ApprovalSpelling | null | undefined;
  sandboxPolicy?: SandboxPolicySpelling | null | undefined;
}

/** The options that end a turn early. */
export const TURN_LIMITS: Table<Pick<TurnOptions, "signal" | "timeoutMs" | "silenceMs">> = {
  signal: is.signal,
  timeoutMs: is.milliseconds,
  silenceMs: is.milliseconds,
};

/** Options with `is.anything` are validated by the server. */
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

/** Separates the limits, which the client enforces, from the overrides, which are sent to the server. */
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
    throw new InvalidArgumentError("sandboxPolicy and permissions are mutually exclusive");
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
