import { CodexError } from "codexwright/rpc";

/** A command cannot be confined as its policy demands. It must not run. */
export class SandboxError extends CodexError {
  readonly code = "sandbox_unavailable";
}
