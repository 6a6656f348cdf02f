import { InvalidArgumentError } from "../../rpc/errors.ts";
import type { SessionReader } from "../session/session.ts";

/** A call that has ended. */
export interface ToolRecord {
  readonly tool: string;
  readonly input: unknown;
  readonly ok: boolean;
}

/** A call that a policy is asked about. */
export interface PolicyCall {
  /** With its namespace, where it has one. */
  readonly tool: string;
  /** As the tool would get it. */
  readonly input: unknown;
  /** The calls of this run that have ended, in order. */
  readonly history: readonly ToolRecord[];
  readonly session: SessionReader;
}

/** Decides whether a tool may be called now. */
export interface ToolPolicy {
  readonly name: string;
  /** Tools that the prompt must have for the policy to make sense. */
  readonly tools?: readonly string[] | undefined;
  /** Why not, for the model; undefined lets the call pass. A policy that throws denies. */
  readonly check: (call: PolicyCall) => string | undefined | Promise<string | undefined>;
}

/** Lets a tool be called only after others have been, with success, in the same run. */
export function requires(tool: string, first: readonly string[]): ToolPolicy {
  if (first.length === 0 || first.includes(tool)) {
    throw new InvalidArgumentError(`requires(${JSON.stringify(tool)}, …) needs the names of other tools`);
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
        : `${tool} requires a successful call of ${missing.join(", ")} first.`;
    },
  });
}
