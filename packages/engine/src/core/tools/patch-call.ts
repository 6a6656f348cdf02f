import type { FileChangeApprovalDecision, FileUpdateChange, ThreadItem } from "codexwright/protocol";
import type { CallOutcome, ToolCall } from "./tool-handler.ts";
import { askWaiting } from "../approvals/ask.ts";
import { autoReview, isAutoReviewed } from "../approvals/auto-review.ts";
import { applyChunks, parsePatch, PatchError, type PatchFile } from "./patch-format.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import { unifiedDiff } from "../turn/unified-diff.ts";

/** A file of a patch, with its content before and after; `undefined` if the file does not exist. */
interface Change {
  readonly mark: "A" | "D" | "M";
  readonly name: string;
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly movedTo: string | undefined;
}

/** Returns the patch if the command is an `apply_patch` call. */
export function patchIn(command: string): string | undefined {
  const [, , patch] = /^\s*apply_patch\s+<<\s*['"]?(\w+)['"]?\n([\s\S]*?)\n\1\s*$/.exec(command) ?? [];
  return patch;
}

/** Checks and applies a patch, after an approval if the policy requires one. */
export async function runPatch(
  run: TurnRun,
  call: ToolCall,
  text: string,
  cwd: string,
): Promise<CallOutcome> {
  let changes: Change[];
  try {
    changes = parsePatch(text).map((file) => changeOf(run, file, cwd));
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return { output: `apply_patch verification failed: ${error.message}` };
  }
  const needed = approvalOf(run, changes);
  if (needed.refusal !== undefined) return { output: needed.refusal };
  const item = {
    type: "fileChange",
    id: call.callId,
    changes: changes.map(wireChange),
    status: "inProgress",
  } satisfies ThreadItem;
  run.items.start(item);
  if (needed.ask && isAutoReviewed(run)) {
    const files = changes.map(({ file }) => file);
    const refusal = await autoReview(run, {
      itemId: call.callId,
      action: { type: "applyPatch", cwd, files },
      planned: { cwd, files, patch: text, tool: "apply_patch" },
    });
    if (refusal !== undefined) {
      run.items.complete({ ...item, status: "declined" });
      return { output: refusal };
    }
  } else if (needed.ask) {
    const decision = await ask(run, call.callId);
    if (decision === "cancel") return { output: "patch rejected by user", cancelled: true };
    if (decision !== "accept" && decision !== "acceptForSession") {
      run.items.complete({ ...item, status: "declined" });
      if (run.thread.host.dialect.endsDeclinedPatchesTwice) run.items.complete({ ...item, status: "failed" });
      return { output: "patch rejected by user" };
    }
    if (decision === "acceptForSession")
      for (const { file } of changes) run.thread.rules.accept(`patch\0${file}`);
  }
  for (const change of changes) write(run, change);
  run.items.complete({ ...item, status: "completed" });
  run.notify("turn/diff/updated", { diff: run.diff.diff() });
  const files = changes.map(({ mark, name }) => `${mark} ${name}\n`).join("");
  return {
    output: `Wall time: 0.0000 seconds\nOutput:\nExit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n${files}`,
  };
}

async function ask(run: TurnRun, itemId: string): Promise<FileChangeApprovalDecision | undefined> {
  const { thread } = run;
  await run.breathe();
  const answer = await askWaiting(run, "waitingOnApproval", "item/fileChange/requestApproval", {
    threadId: thread.id,
    turnId: run.id,
    itemId,
    startedAtMs: run.items.startedAtMs(itemId) ?? Date.now(),
    reason: null,
    grantRoot: null,
  });
  return answer?.decision;
}

/** Decides whether to ask the user or to refuse the patch. */
function approvalOf(run: TurnRun, changes: readonly Change[]): { ask: boolean; refusal?: string } {
  const { approvalPolicy, sandbox, cwd } = run.thread.settings;
  if (sandbox.type === "dangerFullAccess" && approvalPolicy !== "untrusted") return { ask: false };
  const within = changes.every(({ file }) => file.startsWith(cwd + run.thread.host.platform.paths.sep));
  const writable = sandbox.type === "dangerFullAccess" || (sandbox.type === "workspaceWrite" && within);
  if (changes.every(({ file }) => run.thread.rules.accepts(`patch\0${file}`))) return { ask: false };
  if (writable && approvalPolicy !== "untrusted") return { ask: false };
  if (approvalPolicy !== "never") return { ask: true };
  const why =
    sandbox.type === "readOnly"
      ? "writing is blocked by read-only sandbox"
      : "writing outside of the project";
  return { ask: false, refusal: `patch rejected: ${why}; rejected by user approval settings` };
}

function changeOf(run: TurnRun, file: PatchFile, cwd: string): Change {
  const { files, platform } = run.thread.host;
  const target = platform.paths.resolve(cwd, file.path);
  if (file.kind === "add") {
    return {
      mark: "A",
      name: file.path,
      file: target,
      before: files.readText(target),
      after: file.content,
      movedTo: undefined,
    };
  }
  const before = files.readText(target);
  const verb = file.kind === "delete" ? "delete" : "update";
  if (before === undefined) {
    throw new PatchError(`Failed to read file to ${verb} ${target}: No such file or directory (os error 2)`);
  }
  if (file.kind === "delete") {
    return { mark: "D", name: file.path, file: target, before, after: undefined, movedTo: undefined };
  }
  const movedTo = file.moveTo === undefined ? undefined : platform.paths.resolve(cwd, file.moveTo);
  const after = applyChunks(target, before, file.chunks);
  return { mark: "M", name: file.moveTo ?? file.path, file: target, before, after, movedTo };
}

function wireChange({ mark, file, before = "", after = "", movedTo }: Change): FileUpdateChange {
  if (mark === "A") return { path: file, kind: { type: "add" }, diff: after };
  if (mark === "D") return { path: file, kind: { type: "delete" }, diff: before };
  const moved = movedTo === undefined ? "" : `\n\nMoved to: ${movedTo}`;
  const diff = `${unifiedDiff(before, after, 1)}${moved}`;
  return { path: file, kind: { type: "update", move_path: movedTo ?? null }, diff };
}

function write(run: TurnRun, { file, before, after, movedTo }: Change): void {
  const { files } = run.thread.host;
  const target = movedTo ?? file;
  if (after === undefined || movedTo !== undefined) {
    files.removeFile(file);
    run.diff.changed(file, before, undefined);
  }
  if (after === undefined) return;
  run.diff.changed(target, files.readText(target), after);
  files.writeText(target, after);
}
