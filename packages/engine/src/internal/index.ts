// Exports for the other packages of this project. All packages are released together with the same exact version. This
// is not public API: any release may change it.
export { CURRENT_DIALECT } from "../core/current-dialect.ts";
export { fromBase64 } from "../core/bytes.ts";
export { pathOf } from "../core/records/record-path.ts";
export { joined } from "../core/shell-words.ts";
export {
  canWrite,
  pinPolicy,
  realPath,
  type Disk,
  type PinnedPolicy,
} from "../core/confinement/pin-policy.ts";
export { resolvePolicy, type Grants, type Place } from "../core/confinement/resolve-policy.ts";
export { amendmentFor } from "../core/approvals/amendment.ts";
export { decideCommand, type CommandCase, type CommandDecision } from "../core/approvals/decide.ts";
export { DiffTracker } from "../core/turn/diff-tracker.ts";
export { unifiedDiff } from "../core/turn/unified-diff.ts";
export { isForcedRemoval } from "../core/approvals/forced-removal.ts";
export { BASE_INSTRUCTIONS, INSTRUCTIONS_VERSION } from "../core/instructions/base.ts";
export { cut, cutOutput, OUTPUT_TOKENS } from "../core/context/budget.ts";
export { imageFormatOf, type ImageFormat } from "../core/images/image-format.ts";
export { contextParts, type ContextPart, type Situation } from "../core/context/environment.ts";
export { marked, promptOf, type PromptOptions } from "../core/context/prompt.ts";
export { contextUpdates } from "../core/context/updates.ts";
export { RESPONSE_SIZE } from "../core/turn/response-size.ts";
export { MOST_REQUESTS } from "../core/turn/request-limit.ts";
export { MOST_CALLS } from "../core/work/limits.ts";
export { EventReader, StreamTooLargeError, type StreamLimits } from "../providers/sse/index.ts";
export { mountArguments, planMounts, type MountPlan } from "../sandbox/mount-plan.ts";
export { seccompFilter } from "../sandbox/seccomp-filter.ts";
export { RetryPolicy, type Repetition } from "../core/turn/retry-policy.ts";
export type { RetryLimits } from "../core/host.ts";
export { NUMBERS } from "../sandbox/syscalls.ts";
export { explain, whyUnsupported } from "../sandbox/support.ts";
export { RolloutFold } from "../core/records/from-rollout.ts";
export { itemFromRollout, itemToRollout } from "../core/records/rollout-items.ts";
export { parseRecord } from "../core/records/rollout-record.ts";
