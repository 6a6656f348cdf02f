import { statfs } from "node:fs/promises";
import path from "node:path";
import type { WorkflowError } from "../domain/errors.ts";
import type { Verdict } from "../domain/explanation.ts";

/** With less free space, no run begins. */
const LEAST_FREE_BYTES = 1024 ** 3;

export interface PreflightOptions {
  /** Why WORKFLOW.md cannot be used as it is now. */
  readonly problem: WorkflowError | undefined;
  /** The folders that runs write to: workspaces and state. They need not exist. */
  readonly folders: readonly string[];
  /** The free space of a folder that exists. For tests. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

/** Checks before each dispatch. If a verdict is not ok, the tick reconciles and starts nothing. */
export async function preflight({
  problem,
  folders,
  freeBytes = freeBytesOf,
}: PreflightOptions): Promise<readonly Verdict[]> {
  const valid: Verdict = {
    rule: "workflow_valid",
    ok: problem === undefined,
    why:
      problem === undefined
        ? "WORKFLOW.md is valid."
        : `WORKFLOW.md cannot be used (${problem.code}): ${problem.message}.`,
  };
  return [valid, await diskSpace(folders, freeBytes)];
}

async function diskSpace(
  folders: readonly string[],
  freeBytes: (folder: string) => Promise<number>,
): Promise<Verdict> {
  const rule = "disk_space";
  for (const folder of folders) {
    const free = await freeAt(folder, freeBytes);
    if (free !== undefined && free < LEAST_FREE_BYTES) {
      return {
        rule,
        ok: false,
        why: `The disk of ${folder} has ${megabytes(free)} free; 1024 MiB are needed.`,
      };
    }
  }
  return { rule, ok: true, why: "The disks of the workspaces and of the state have at least 1024 MiB free." };
}

/** Looks at the nearest folder that exists. A disk that cannot be measured does not hold up the fleet. */
async function freeAt(
  folder: string,
  freeBytes: (folder: string) => Promise<number>,
): Promise<number | undefined> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    try {
      return await freeBytes(at);
    } catch {
      if (at === path.dirname(at)) return undefined;
    }
  }
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 ** 2)} MiB`;
}
