import { createHash } from "node:crypto";
import path from "node:path";
import { homedir } from "node:os";

/** The name of the scope of a WORKFLOW.md, made from its absolute path. */
export function scopeOf(workflowPath: string): string {
  const hash = createHash("sha256").update(workflowPath).digest("hex").slice(0, 16);
  const folder = path
    .basename(path.dirname(workflowPath))
    .replaceAll(/[^A-Za-z0-9-]/g, "-")
    .slice(0, 32);
  return `${folder}-${hash}`;
}

/**
 * The folder for the data of a scope on this machine: `$XDG_STATE_HOME/codexwright/fleet/<scope>`. It has mode 0700,
 * and contains:
 *
 * - `db/`: the embedded database, with its lock file `db.lock`
 * - `endpoint.json`: `{ url, pid }` of the process that serves HTTP now
 * - `token`: the secret for orders over HTTP, mode 0600
 * - `runs/`: a folder for each run that goes on, with the pids of its processes
 * - `state/<workspace key>/`: the checkpoints and the stored thread of an issue
 */
export function stateFolderOf(scope: string, env: Readonly<Record<string, string | undefined>>): string {
  const base = env["XDG_STATE_HOME"];
  const root =
    base !== undefined && path.isAbsolute(base) ? base : path.join(env["HOME"] || homedir(), ".local/state");
  return path.join(root, "codexwright/fleet", scope);
}
