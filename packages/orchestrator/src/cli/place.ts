import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { WorkflowError } from "../domain/errors.ts";
import { scopeOf, stateFolderOf } from "../domain/scope.ts";

/** A fleet on this machine, whether it runs or not. */
export interface FleetPlace {
  /** The absolute path of WORKFLOW.md. */
  readonly workflowPath: string;
  readonly stateFolder: string;
}

export interface FleetPlaceOptions {
  /** The path of WORKFLOW.md, relative to `cwd`; default: `WORKFLOW.md`. */
  readonly workflow?: string | undefined;
  /** The state folder, relative to `cwd`; default: the folder of the scope. */
  readonly data?: string | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Finds the place of a fleet. The file itself may be missing. */
export function placeOf({ workflow = "WORKFLOW.md", data, cwd, env }: FleetPlaceOptions): FleetPlace {
  const named = path.resolve(cwd, workflow);
  // Two spellings of the path are one fleet.
  const workflowPath = existsSync(named) ? realpathSync(named) : named;
  const stateFolder =
    data === undefined ? stateFolderOf(scopeOf(workflowPath), env) : path.resolve(cwd, data);
  return { workflowPath, stateFolder };
}

/** Throws `missing_workflow_file`. */
export function requireWorkflow({ workflowPath }: FleetPlace): void {
  if (existsSync(workflowPath)) return;
  throw new WorkflowError("missing_workflow_file", `there is no workflow file at ${workflowPath}`);
}
