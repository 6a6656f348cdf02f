import { lstat, rm } from "node:fs/promises";
import path from "node:path";
import type { Issue } from "../domain/issue.ts";
import type { Cleanup, JobStore, Scope } from "../jobs/port.ts";
import type { Journal } from "../observe/journal.ts";
import { workspaceKey } from "../workspace/key.ts";
import { IssueWorkspace } from "../workspace/workspace.ts";
import { keepChanges } from "./changes.ts";
import { stateOf } from "./issue-state.ts";
import type { Version, Versions } from "./versions.ts";

/** A hook that never ends is killed at its own limit. */
const NEVER: AbortSignal = new AbortController().signal;

/** Removes the workspace of a clean-up job, with the hooks of the version that its runs had. */
export async function cleanWorkspace(
  { identifier, workspacePath, workflowVersion }: Cleanup,
  { versions, store, stateFolder }: { versions: Versions; store: JobStore; stateFolder: string },
): Promise<void> {
  const version = await versions.stored(workflowVersion, store);
  await remove({ id: "", identifier }, workspacePath, { version, stateFolder });
}

/** Removes the workspaces of finished issues that have no claim. A claim ends by its own rules. */
export async function cleanFinished(
  done: readonly Issue[],
  {
    version,
    store,
    scope,
    journal,
    stateFolder,
  }: { version: Version; store: JobStore; scope: Scope; journal: Journal; stateFolder: string },
): Promise<void> {
  const { claims } = await store.read(scope);
  const claimed = new Set(claims.map(({ issueId }) => issueId));
  const { root } = version.workflow.settings.workspace;
  for (const issue of done) {
    const workspace = path.join(root, workspaceKey(issue.identifier));
    if (claimed.has(issue.id) || !(await exists(workspace))) continue;
    const about = { issueId: issue.id, identifier: issue.identifier };
    try {
      await remove(issue, workspace, { version, stateFolder });
      const message = "the workspace of a finished issue was removed";
      journal.record({ ...about, event: "workspace.removed", message, data: { outcome: "completed" } });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `the workspace of a finished issue cannot be removed: ${reason}`;
      journal.record({ ...about, event: "warning", message, data: { outcome: "failed", reason } });
    }
  }
}

async function remove(
  issue: Pick<Issue, "id" | "identifier">,
  workspace: string,
  { version, stateFolder }: { version: Version; stateFolder: string },
): Promise<void> {
  const { workflow, secretEnv } = version;
  const { hooks } = workflow.settings;
  const { identifier } = issue;
  // Without the patch, the removal is still right.
  await keepChanges({ stateFolder, identifier, workspacePath: workspace }).catch(() => {});
  await IssueWorkspace.at(workspace, { issue, hooks, secretEnv })?.remove(NEVER);
  await rm(stateOf(stateFolder, issue.identifier), { recursive: true, force: true });
}

async function exists(folder: string): Promise<boolean> {
  try {
    await lstat(folder);
    return true;
  } catch {
    return false;
  }
}
