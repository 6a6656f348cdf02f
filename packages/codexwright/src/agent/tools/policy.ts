import { InvalidArgumentError } from "../../rpc/errors.ts";
import type { SessionReader } from "../session/session.ts";

/** A call that has ended. */
export interface ToolRecord {
  readonly tool: string;
  readonly input: unknown;
  readonly ok: boolean;
}

/** A call that a policy decides on. */
export interface PolicyCall {
  /** Includes the namespace, if the tool has one. */
  readonly tool: string;
  /** The validated input, as the tool would receive it. */
  readonly input: unknown;
  /** The finished calls of this run, in order. */
  readonly history: readonly ToolRecord[];
  readonly session: SessionReader;
}

/** Decides if a tool may be called now. */
export interface ToolPolicy {
  readonly name: string;
  /** Names of the tools that the prompt must have so that the policy can apply. */
  readonly tools?: readonly string[] | undefined;
  /**
   * Returns the reason for a denial, as text for the model, or undefined to allow the call. Throwing also denies the
   * call.
   */
  readonly check: (call: PolicyCall) => string | undefined | Promise<string | undefined>;
}

/** Allows a tool only after successful calls to other tools in the same run. */
export function requires(tool: string, first: readonly string[]): ToolPolicy {
  if (first.length === 0 || first.includes(tool)) {
    throw new InvalidArgumentError(
      `requires(${JSON.stringify(tool)}, …) must name at least one tool, and not ${JSON.stringify(tool)} itself`,
    );
  }
  return Object.freeze({
    name: `requires(${tool})`,
    tools: [tool, ...first],
    check: (call: PolicyCall) => {
      if (call.tool !== tool) return undefined;
      const done = new Set(call.history.filter(({ ok }) => ok).map((one) => one.tool));
      const missing = first.filter((one) => !done.has(one));
      return missing.length === 0
        ? undefined
        : `${tool} requires a successful call to ${missing.join(", ")} first.`;
    },
  });
}
