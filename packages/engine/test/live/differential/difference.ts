import type { ListedDifference } from "@codexwright/test-support/differential/listed";

/** A difference from Codex. The page docs/engine-differences.md lists them. */
export interface EngineDifference extends ListedDifference {
  readonly area:
    | "protocol"
    | "model requests"
    | "commands"
    | "approvals"
    | "patches"
    | "threads"
    | "reviews"
    | "MCP servers"
    | "errors";
  /** The behaviour of Codex, and that of the engine. */
  readonly codex: string;
  readonly engine: string;
  /** True if the engine lacks something that it should have. Otherwise it differs on purpose. */
  readonly gap?: true;
}
