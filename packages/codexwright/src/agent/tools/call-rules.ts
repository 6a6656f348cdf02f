import type { BudgetMeter, Deadline } from "../limits.ts";
import type { SessionReader } from "../session/session.ts";
import type { Past } from "./past.ts";
import type { ToolPolicy } from "./policy.ts";
import { Refusal } from "./refusal.ts";

/** The limits and policies that decide if a call is allowed. */
export interface CallRules {
  readonly session: SessionReader;
  readonly policies: readonly ToolPolicy[];
  readonly deadline: Deadline | undefined;
  readonly budget: BudgetMeter | undefined;
  readonly warn: (message: string, error?: unknown) => void;
}

/** Throws a `Refusal` if the limits or a policy do not allow the call. A policy that throws also denies the call. */
export async function checkRules(rules: CallRules, tool: string, input: unknown, past: Past): Promise<void> {
  const { deadline, budget, policies, session, warn } = rules;
  if (deadline?.expired) throw new Refusal("denied", "The deadline of this run has passed.");
  if (budget?.exceeded()) throw new Refusal("denied", "The token budget of this run is spent.");
  for (const policy of policies) {
    let reason: string | undefined;
    try {
      reason = await policy.check({
        tool,
        input,
        get history() {
          return past();
        },
        session,
      });
    } catch (error) {
      warn(`the policy ${policy.name} threw, so ${tool} was denied`, error);
      reason = `The policy ${policy.name} could not decide about this call.`;
    }
    if (reason !== undefined) throw new Refusal("denied", reason);
  }
}
