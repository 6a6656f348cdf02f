import { tmpdir } from "node:os";
import { bubblewrap } from "@codexwright/engine/node";
import { ok, warn, type Finding } from "./check.ts";

/** The status of a sandbox, as the engine reports it. */
export type Status = { readonly ready: true } | { readonly ready: false; readonly why: string };

/** Checks whether our own app-server can confine the commands of a thread in this folder. */
export async function checkEngine(cwd: string): Promise<Finding> {
  const policy = {
    // No program of these folders is tried: a command of an earlier thread may have written it.
    writableRoots: [cwd, tmpdir()],
    grantedRoots: [],
    readOnlyPaths: [],
    neverWritable: [],
    exceptions: [],
    network: false,
  };
  return judgeEngine(await bubblewrap().status(policy));
}

/** Codex has a sandbox of its own, so a missing one of ours is only a warning. Exported for its tests. */
export function judgeEngine(status: Status): Finding {
  if (status.ready) return ok("our own app-server can confine commands");
  const [reason, ...remedy] = status.why.split(/(?<=\.) (?=[A-Z])/);
  return warn(
    `our own app-server cannot confine commands: ${reason?.replace(/\.$/, "")}`,
    ...remedy,
    "Until then it asks before it runs a command, or refuses it. Codex is not affected.",
  );
}
