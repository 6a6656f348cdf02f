import type { ThreadResumeParams } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import type { Settings } from "../records/record.ts";
import { policyOf, reviewerOf } from "./thread-settings.ts";

type Params = Pick<
  ThreadResumeParams,
  | "approvalPolicy"
  | "approvalsReviewer"
  | "baseInstructions"
  | "config"
  | "cwd"
  | "developerInstructions"
  | "model"
  | "modelProvider"
  | "permissions"
  | "personality"
  | "sandbox"
  | "serviceTier"
>;

/** Whether a request to resume a thread wants something that the loaded thread does not have. */
export function wantsOther(settings: Settings, params: Params): boolean {
  const other = <T>(wanted: T | null | undefined, has: T): boolean =>
    wanted !== undefined && wanted !== null && JSON.stringify(wanted) !== JSON.stringify(has);
  return (
    other(params.model, settings.model) ||
    other(params.modelProvider, settings.modelProvider) ||
    other(params.cwd, settings.cwd) ||
    other(params.approvalPolicy, settings.approvalPolicy) ||
    other(reviewerOf(params), settings.approvalsReviewer) ||
    other(params.sandbox && policyOf(params.sandbox).type, settings.sandbox.type) ||
    other(params.permissions, settings.permissions) ||
    other(params.personality, settings.personality) ||
    // The thread does not keep these, so they count as different.
    [params.config, params.baseInstructions, params.developerInstructions, params.serviceTier].some(
      (each) => each !== undefined && each !== null,
    )
  );
}

/** The warning for a thread that goes on with another model than before. */
export function otherModel(before: string, now: string): string {
  return `This session was recorded with model \`${before}\` but is resuming with \`${now}\`. Consider switching back to \`${before}\` as it may affect Codex performance.`;
}

/** How long a thread without clients stays loaded, if its opening names it. */
export function unloadDelayMs(config: ThreadResumeParams["config"]): number | undefined {
  const seconds: unknown = config?.["thread_unload_delay_secs"];
  if (seconds === undefined || seconds === null) return undefined;
  if (typeof seconds === "number" && Number.isSafeInteger(seconds) && seconds >= 0) return seconds * 1_000;
  throw new ResponseError(
    -32600,
    `failed to load configuration: ${problem(seconds)}, expected u64\nin \`thread_unload_delay_secs\`\n`,
  );
}

function problem(value: unknown): string {
  if (typeof value === "number")
    return Number.isInteger(value)
      ? `invalid value: integer \`${value}\``
      : `invalid type: floating point \`${value}\``;
  if (typeof value === "boolean") return `invalid type: boolean \`${value}\``;
  return typeof value === "string" ? `invalid type: string ${JSON.stringify(value)}` : "invalid type: map";
}
