import type { AskForApproval, SandboxPolicy } from "codexwright/protocol";
import { wantsSandbox } from "./decide.ts";

/** A patch of the model, and everything that the decision on it depends on. */
export interface PatchCase {
  readonly policy: AskForApproval;
  readonly sandbox: SandboxPolicy;
  /** Whether the sandbox policy lets a command write every file of the patch. */
  readonly writable: boolean;
  /** Whether the user has accepted changes of all these files for the session. */
  readonly granted: boolean;
}

export type PatchDecision =
  | { readonly act: "run" | "ask" }
  | { readonly act: "refuse"; readonly text: string };

/** Decides whether a patch is applied. Depends on nothing but the case. */
export function decidePatch({ policy, sandbox, writable, granted }: PatchCase): PatchDecision {
  const inside = writable || !wantsSandbox(sandbox);
  if ((inside && policy !== "untrusted") || granted) return { act: "run" };
  if (policy === "never") {
    const why =
      sandbox.type === "readOnly"
        ? "writing is blocked by read-only sandbox"
        : "writing outside of the project";
    return refuse(`${why}; rejected by user approval settings`);
  }
  if (typeof policy === "object" && !policy.granular.sandbox_approval) {
    return refuse("writing here requires approval, and the approval policy switches such questions off");
  }
  return { act: "ask" };
}

function refuse(why: string): PatchDecision {
  return { act: "refuse", text: `patch rejected: ${why}` };
}
