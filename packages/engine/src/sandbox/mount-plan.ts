import { depthOf, folderOf, isWithin, join } from "../core/confinement/paths.ts";
import type { Disk, PinnedPolicy } from "../core/confinement/pin-policy.ts";
import { SandboxError } from "../core/confinement/sandbox-error.ts";

/**
 * How a path is mounted in the sandbox: writable, read-only, or as an empty read-only folder, which must be made first
 * because nothing is there.
 */
export type MountKind = "writable" | "readOnly" | "empty";

export type MountPlan = ReadonlyMap<string, MountKind>;

/** Folders that have mounts of their own in every sandbox. A root in them is not writable. */
const SYSTEM = ["/proc", "/sys", "/dev"] as const;

/**
 * Decides on the mounts for a policy, without changing anything.
 *
 * Every folder between a root and a protected path is mounted, too. A command could otherwise rename that folder
 * together with the protected path, and make a new one in its place. A mount point cannot be renamed.
 */
export function planMounts(policy: PinnedPolicy, disk: Pick<Disk, "kind">): MountPlan {
  const plan = new Map<string, MountKind>();
  const roots = policy.roots.filter((root) => !SYSTEM.some((folder) => isWithin(root, folder)));
  for (const root of roots) plan.set(root, "writable");
  const system = roots.includes("/") ? ["/sys"] : [];
  const files = [...new Set([...policy.readOnly, ...policy.never, ...system])];
  for (const file of files.toSorted((a, b) => depthOf(a) - depthOf(b))) protect(file, plan, disk);
  return plan;
}

function protect(file: string, plan: Map<string, MountKind>, disk: Pick<Disk, "kind">): void {
  if (plan.has(file)) {
    plan.set(file, "readOnly");
    return;
  }
  const root = holderOf(file, plan);
  // A root that is a file has nothing below it.
  if (root === undefined || plan.get(root) !== "writable" || disk.kind(root) !== "folder") return;
  for (const folder of between(root, file)) {
    const kind = disk.kind(folder);
    if (kind === undefined) {
      plan.set(folder, "empty");
      return;
    }
    if (typeof kind === "object") throw new SandboxError(`${folder} became a symbolic link.`);
    if (folder === file) plan.set(folder, "readOnly");
    else if (!plan.has(folder)) plan.set(folder, "writable");
    // A command could replace a file with a folder, but not if the file is a mount point.
    if (kind !== "folder") return;
  }
}

/** Returns the deepest mount that holds a path. */
function holderOf(file: string, plan: MountPlan): string | undefined {
  for (let at = file; ; at = folderOf(at)) {
    if (plan.has(at)) return at;
    if (at === "/") return undefined;
  }
}

/** Returns the folders from below the root to the file, and the file. */
function between(root: string, file: string): string[] {
  const parts = file.slice(root === "/" ? 1 : root.length + 1).split("/");
  const paths: string[] = [];
  for (const part of parts) paths.push(join(paths.at(-1) ?? root, part));
  return paths;
}

/** Returns bwrap's arguments for the plan, outer folders first. */
export function mountArguments(plan: MountPlan): string[] {
  const entries = [...plan].toSorted(([a], [b]) => depthOf(a) - depthOf(b));
  return entries.flatMap(([file, kind]) => {
    if (file === "/") return [];
    if (kind === "writable") return ["--bind", file, file];
    return ["--ro-bind", file, file];
  });
}
