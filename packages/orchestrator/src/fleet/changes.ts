import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { Workspace } from "codexwright/workspace";
import { FleetError } from "../domain/errors.ts";
import type { IssueChanges, PastRun } from "../domain/snapshot.ts";
import type { IssueRecord } from "../jobs/port.ts";
import { checkFolder, isUnfinished, recordedFolder } from "../workspace/folder.ts";
import { workspaceKey } from "../workspace/key.ts";
import { stateOf } from "./issue-state.ts";

/** The longest patch that is kept of a workspace that was removed. */
const MOST_CHARACTERS = 1024 * 1024;

/** The place of an issue's workspace and checkpoints. */
interface Place {
  readonly stateFolder: string;
  readonly identifier: string;
  readonly workspacePath: string;
}

/**
 * Returns the changes of a run, or of all runs together, as a patch. Changes of hooks are left out. When the workspace
 * was removed, only the changes of all runs are left.
 */
export async function changesOf(
  { issueId, identifier }: { readonly issueId: string; readonly identifier: string },
  { runs }: IssueRecord,
  { stateFolder, runId }: { readonly stateFolder: string; readonly runId: string | undefined },
): Promise<IssueChanges> {
  const wanted = runs.filter((run) => runId === undefined || run.runId === runId);
  const workspacePath = wanted.find((run) => run.workspacePath !== null)?.workspacePath;
  const place = workspacePath == null ? undefined : { stateFolder, identifier, workspacePath };
  const live = place && (await liveChanges(wanted, place));
  if (live !== undefined) return { issueId, identifier, ...live };
  const kept = runId === undefined ? await textOf(patchFile(stateFolder, identifier)) : undefined;
  if (kept !== undefined) return { issueId, identifier, runs: [], patch: kept };
  const what = runId === undefined ? "no run" : "no such run";
  throw new FleetError("run_not_found", `${identifier} has ${what} whose changes are still known`);
}

/** Keeps the changes of all runs of a workspace that is going to be removed. */
export async function keepChanges(place: Place): Promise<void> {
  const files = await openWorkspace(place);
  if (files === undefined) return;
  let patch: string;
  try {
    const [first] = await files.checkpoints();
    if (first === undefined) return;
    patch = await files.diff(first);
  } finally {
    await files.close();
  }
  const file = patchFile(place.stateFolder, place.identifier);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const isLong = patch.length > MOST_CHARACTERS;
  const text = isLong ? `${patch.slice(0, MOST_CHARACTERS)}\n[The rest was not kept.]\n` : patch;
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** undefined if the workspace, or what it was before these runs, is not there any more. */
async function liveChanges(
  runs: readonly PastRun[],
  place: Place,
): Promise<Pick<IssueChanges, "runs" | "patch"> | undefined> {
  const files = await openWorkspace(place);
  if (files === undefined) return undefined;
  try {
    // An earlier workspace of the issue had checkpoints of its own.
    const known = new Set((await files.checkpoints()).map(({ tree }) => tree));
    const taken = runs.flatMap(({ runId, checkpoints: { before, after } }) =>
      before !== null && after !== null && known.has(before) && known.has(after)
        ? [{ runId, before, after }]
        : [],
    );
    const [last, first] = [taken[0], taken.at(-1)];
    if (last === undefined || first === undefined) return undefined;
    const patch = await files.diff({ tree: first.before }, { tree: last.after });
    return { runs: taken.map(({ runId }) => runId).toReversed(), patch };
  } finally {
    await files.close();
  }
}

/** undefined if there is no whole workspace, or no run has begun in it. */
async function openWorkspace({
  stateFolder,
  identifier,
  workspacePath,
}: Place): Promise<Workspace | undefined> {
  const checkpoints = path.join(stateOf(stateFolder, identifier), "checkpoints");
  if ((await textOf(path.join(checkpoints, "checkpoints"))) === undefined) return undefined;
  const folder = recordedFolder(workspacePath, identifier);
  try {
    checkFolder(folder);
    // Missing files would look like deleted ones.
    if (isUnfinished(folder)) return undefined;
  } catch {
    return undefined;
  }
  return await Workspace.at(folder.path, { checkpoints });
}

function patchFile(stateFolder: string, identifier: string): string {
  return path.join(stateFolder, "patches", `${workspaceKey(identifier)}.patch`);
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
