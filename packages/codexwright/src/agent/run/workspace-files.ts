import type { FileSystem } from "../resources/file-system.ts";
import type { RunWorkspace } from "./options.ts";

const shared = new WeakMap<RunWorkspace, FileSystem>();

/**
 * The files of a workspace for the tools of a run. All runs of one workspace get the same object: calls take turns by the
 * objects that they share, and two objects for one folder would let them write at the same time.
 */
export function filesOf(workspace: RunWorkspace): FileSystem | undefined {
  const files = shared.get(workspace) ?? workspace.files?.();
  // A run disposes of what was opened for it, so another run cannot go on with that.
  const disposable = files && (Symbol.asyncDispose in files || Symbol.dispose in files);
  if (files && !disposable) shared.set(workspace, files);
  return files;
}
