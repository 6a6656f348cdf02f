import type { Tool, ToolContext } from "../../tools/tool.ts";
import type { BudgetReader, Deadline } from "../limits.ts";
import type { ResourceReader } from "../resources/resource.ts";
import type { SessionAccess } from "../session/session.ts";

/** The context of an agent's tool call. */
export interface AgentToolContext extends ToolContext {
  /**
   * The session, including the call's own changes. These changes are committed when the call succeeds. The session is
   * usable until the call ends; `readonly` tools may only read it. If the tool passes this session to an agent run,
   * that run becomes part of the call.
   */
  readonly session: SessionAccess;
  readonly resources: ResourceReader;
  /** The deadline of the run, if it has one. */
  readonly deadline: Deadline | undefined;
  readonly budget: BudgetReader | undefined;
  /** Fails the call with a message for the model. Changes of the call are rolled back. */
  readonly fail: (message: string) => never;
  /** Emits a `tool.log` event. The model does not see it. */
  readonly log: (message: string, data?: unknown) => void;
}

/** A tool for prompts. A tool that needs only the client's `ToolContext` can be used here too. */
export type AgentTool = Tool<AgentToolContext>;
