import type { Tool, ToolContext } from "../../tools/tool.ts";
import type { BudgetReader, Deadline } from "../limits.ts";
import type { ResourceReader } from "../resources/resource.ts";
import type { SessionAccess } from "../session/session.ts";

/** What a tool of an agent is told besides its input. */
export interface AgentToolContext extends ToolContext {
  /**
   * The session with the call's own changes, which are committed when the call succeeds. Usable until the call ends;
   * `readonly` tools may only read. A run that gets it takes part in the call.
   */
  readonly session: SessionAccess;
  readonly resources: ResourceReader;
  /** Of the run, where it has one. */
  readonly deadline: Deadline | undefined;
  readonly budget: BudgetReader | undefined;
  /** Ends the call as failed, with a message for the model; what the call has changed is rolled back. */
  readonly fail: (message: string) => never;
  /** Tells whoever watches the run; the model does not see it. */
  readonly log: (message: string, data?: unknown) => void;
}

/** A tool for prompts. Tools that need no more than the client gives are tools for prompts too. */
export type AgentTool = Tool<AgentToolContext>;
