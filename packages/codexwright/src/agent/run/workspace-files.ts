import type { FileSystem } from "../resources/file-system.ts";
import type { RunWorkspace } from "./options.ts";

const shared = new WeakMap<RunWorkspace, FileSystem>();

/**
 * Returns the files of a workspace for the tools of a run. All runs of one workspace get the same object. Calls that
 * use the same object run one after another, but two objects for one folder would allow concurrent writes.
 */
export function filesOf(workspace: RunWorkspace): FileSystem | undefined {
  const files = shared.get(workspace) ?? workspace.files?.();
  // A run disposes its resources, so another run cannot use a disposable object again.
  const disposable = files && (Symbol.asyncDispose in files || Symbol.dispose in files);
  if (files && !disposable) shared.set(workspace, files);
  return files;
}
