import type { FileChangeApprovalDecision, FileUpdateChange, ThreadItem } from "codexwright/protocol";
import { askWaiting } from "../approvals/ask.ts";
import { autoReview, isAutoReviewed } from "../approvals/auto-review.ts";
import { decidePatch } from "../approvals/decide-patch.ts";
import { canWrite, pinPolicy, type PinnedPolicy } from "../confinement/pin-policy.ts";
import { APPLY_PATCH } from "../instructions/tool-specs.ts";
import { planPatch, type PatchChange, type PatchPlan } from "./patch-plan.ts";
import { PatchError } from "./patch-format.ts";
import { applySteps } from "./patch-write.ts";
import { policyOf } from "../threads/thread-policy.ts";
import type { CallOutcome, ToolCall, ToolHandler } from "./tool-handler.ts";
import { textOf as contentText } from "../turn/diff-tracker.ts";
import { textOf } from "../text.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import { unifiedDiff } from "../turn/unified-diff.ts";

/** The tool that applies patches. Models also write patches as a command of the shell. */
export const applyPatch: ToolHandler<TurnRun> = {
  name: "apply_patch",
  parallel: false,
  freeform: true,
  spec: () => APPLY_PATCH,
  run: (call, run) =>
    runPatch(run, call, textOf(call.input["input"] ?? call.input["patch"]), run.thread.settings.cwd),
};

/** A patch that is written as a command. */
export interface PatchCommand {
  readonly patch: string;
  /** The folder that a `cd` before the patch names. */
  readonly folder: string | undefined;
}

/** Returns the patch if the command is an `apply_patch` call, alone or after a `cd`. */
export function patchIn(command: string): PatchCommand | undefined {
  const [, folder, , patch] =
    /^\s*(?:cd\s+('[^'\n]*'|"[^"\\$`\n]*"|[\w\-./@+,:]+)\s*&&\s*)?apply_?patch\s+<<\s*['"]?(\w+)['"]?[ \t]*\n([\s\S]*?)\n\2\s*$/.exec(
      command,
    ) ?? [];
  return patch === undefined ? undefined : { patch, folder: folder?.replace(/^(['"])(.*)\1$/, "$2") };
}

/** Checks and applies a patch, after an approval if the policy requires one. */
export async function runPatch(
  run: TurnRun,
  call: ToolCall,
  text: string,
  cwd: string,
): Promise<CallOutcome> {
  const { thread } = run;
  const { files, platform } = thread.host;
  let plan: PatchPlan;
  try {
    plan = await planPatch(text, cwd, files, platform.paths);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return { output: `apply_patch verification failed: ${error.message}` };
  }
  const { changes, steps } = plan;
  const keys = steps.map(({ file }) => `patch\0${file}`);
  const decision = decidePatch({
    policy: thread.settings.approvalPolicy,
    sandbox: thread.settings.sandbox,
    writable: mayWrite(run, plan),
    granted: keys.every((key) => thread.rules.accepts(key)),
  });
  if (decision.act === "refuse") return { output: decision.text };
  const item = {
    type: "fileChange",
    id: call.callId,
    changes: changes.toSorted((a, b) => (a.file < b.file ? -1 : 1)).map(wireChange),
    status: "inProgress",
  } satisfies ThreadItem;
  run.items.start(item);
  if (decision.act === "ask") {
    const refused = await decided(run, plan, item, { text, cwd, keys });
    if (refused) return refused;
  }
  const problem = await applySteps(steps, files);
  if (problem !== undefined) {
    run.items.complete({ ...item, status: "failed" });
    return { output: `apply_patch failed: ${problem}` };
  }
  for (const { file, movedTo, before, after, replaced } of changes) {
    run.diff.changed(file, before, movedTo === undefined ? after : undefined);
    if (movedTo !== undefined) run.diff.changed(movedTo, replaced, after);
  }
  run.items.complete({ ...item, status: "completed" });
  run.notify("turn/diff/updated", { diff: run.diff.diff() });
  const list = ["A", "M", "D"].flatMap((each) =>
    changes.filter(({ mark }) => mark === each).map(({ mark, name }) => `${mark} ${name}\n`),
  );
  return {
    output: `Wall time: 0.0000 seconds\nOutput:\nExit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n${list.join("")}`,
  };
}

type FileChangeItem = Extract<ThreadItem, { type: "fileChange" }>;

/** Asks the user or the reviewer. Returns the result of the call if the patch is not accepted. */
async function decided(
  run: TurnRun,
  plan: PatchPlan,
  item: FileChangeItem,
  { text, cwd, keys }: { readonly text: string; readonly cwd: string; readonly keys: readonly string[] },
): Promise<CallOutcome | undefined> {
  if (isAutoReviewed(run)) {
    const files = [
      ...new Set([...plan.changes.map(({ file }) => file), ...plan.steps.map(({ file }) => file)]),
    ];
    const refusal = await autoReview(run, {
      itemId: item.id,
      action: { type: "applyPatch", cwd, files },
      planned: { cwd, files, patch: text, tool: "apply_patch" },
    });
    if (refusal !== undefined) run.items.complete({ ...item, status: "declined" });
    return refusal === undefined ? undefined : { output: refusal };
  }
  const decision = await ask(run, item.id, plan);
  if (decision === "cancel") return { output: "patch rejected by user", cancelled: true };
  if (decision !== "accept" && decision !== "acceptForSession") {
    run.items.complete({ ...item, status: "declined" });
    if (run.thread.host.dialect.endsDeclinedPatchesTwice) run.items.complete({ ...item, status: "failed" });
    return { output: "patch rejected by user" };
  }
  if (decision === "acceptForSession") for (const key of keys) run.thread.rules.accept(key);
  return undefined;
}

async function ask(
  run: TurnRun,
  itemId: string,
  { links }: PatchPlan,
): Promise<FileChangeApprovalDecision | undefined> {
  const { thread } = run;
  await run.breathe();
  const led = links.map(({ file, real }) => `${file} leads to ${real}`);
  const answer = await askWaiting(run, "waitingOnApproval", "item/fileChange/requestApproval", {
    threadId: thread.id,
    turnId: run.id,
    itemId,
    startedAtMs: run.items.startedAtMs(itemId) ?? Date.now(),
    reason: led.length === 0 ? null : `Through links: ${led.join("; ")}`,
    grantRoot: null,
  });
  return answer?.decision;
}

/** Whether the sandbox policy lets a command write all files of the patch. */
function mayWrite(run: TurnRun, { steps }: PatchPlan): boolean {
  const policy = policyOf(run.thread);
  if (!policy) return true;
  try {
    const pinned = pinPolicy(policy, run.thread.host.files);
    const folded = foldCase(pinned);
    return steps.every(({ file }) => canWrite(pinned, file) && canWrite(folded, file.toLowerCase()));
  } catch {
    // A policy that cannot be enforced allows nothing.
    return false;
  }
}

/** The policy for file systems that ignore case, where `.GIT` is `.git`. */
function foldCase(pinned: PinnedPolicy): PinnedPolicy {
  const fold = (files: readonly string[]): string[] => files.map((file) => file.toLowerCase());
  const { roots, readOnly, never, exceptions } = pinned;
  return {
    ...pinned,
    roots: fold(roots),
    readOnly: fold(readOnly),
    never: fold(never),
    exceptions: fold(exceptions),
  };
}

function wireChange({ mark, file, before, after = "", movedTo }: PatchChange): FileUpdateChange {
  if (mark === "A") return { path: file, kind: { type: "add" }, diff: after };
  if (mark === "D") return { path: file, kind: { type: "delete" }, diff: contentText(before) };
  const moved = movedTo === undefined ? "" : `\n\nMoved to: ${movedTo}`;
  const diff = `${unifiedDiff(contentText(before), after, 1)}${moved}`;
  return { path: file, kind: { type: "update", move_path: movedTo ?? null }, diff };
}
