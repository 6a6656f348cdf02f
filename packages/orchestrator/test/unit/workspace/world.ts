import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { IssueWorkspace, type WorkspaceOptions } from "@codexwright/orchestrator/internal";
import { removeTree } from "codexwright/internal/node";

/** A temporary root for workspaces, and what hooks reported. */
export interface World extends AsyncDisposable {
  readonly folder: string;
  readonly root: string;
  /** The names and outcomes of hooks. */
  readonly hooks: string[];
  /** The output of hooks. */
  readonly log: string[];
  readonly warnings: string[];
  options(hooks?: Partial<WorkspaceOptions["hooks"]>, more?: Partial<WorkspaceOptions>): WorkspaceOptions;
  open(
    identifier: string,
    hooks?: Partial<WorkspaceOptions["hooks"]>,
    signal?: AbortSignal,
  ): Promise<IssueWorkspace>;
}

export const NEVER: AbortSignal = new AbortController().signal;

export function world(): World {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "workspaces-")));
  const root = path.join(folder, "root");
  const [hooks, log, warnings]: [string[], string[], string[]] = [[], [], []];
  const options: World["options"] = (scripts = {}, more = {}) => ({
    issue: { id: "1", identifier: "ABC-1" },
    hooks: {
      afterCreate: null,
      beforeRun: null,
      afterRun: null,
      beforeRemove: null,
      // A loaded machine needs long to start a shell.
      timeoutMs: 45_000,
      ...scripts,
    },
    secretEnv: [],
    event: ({ event, message }) => {
      if (event === "hook.ended") hooks.push(message.replace(/^the hook (\w+) ended/, "$1"));
      if (event === "warning") warnings.push(message);
    },
    log: (_hook, output) => log.push(output),
    ...more,
  });
  return {
    folder,
    root,
    hooks,
    log,
    warnings,
    options,
    open: async (identifier, scripts, signal = NEVER) =>
      await IssueWorkspace.open(root, options(scripts, { issue: { id: "1", identifier } }), signal),
    [Symbol.asyncDispose]: async () => await removeTree(folder),
  };
}
