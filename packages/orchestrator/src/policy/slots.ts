import type { Claim } from "../domain/claim.ts";
import { normalized } from "../domain/issue.ts";
import type { Settings } from "../domain/settings.ts";

/** Limits of running agents, as the job store checks them in the transaction of an admission. */
export interface AgentLimits {
  readonly global: number;
  /** By normalized state. */
  readonly byState: Readonly<Record<string, number>>;
}

/** The places that running agents have taken, and those that are left. */
export interface Slots {
  readonly limits: AgentLimits;
  readonly taken: number;
  /** By normalized state. */
  readonly takenByState: ReadonlyMap<string, number>;
}

export function limitsOf({ agent }: Settings): AgentLimits {
  return { global: agent.maxConcurrentAgents, byState: agent.maxConcurrentAgentsByState };
}

/** Counts the claims that have a slot: those that run, and those in a run queue. */
export function slotsOf(limits: AgentLimits, claims: readonly Claim[]): Slots {
  return claims
    .filter(({ state }) => state === "queued" || state === "running")
    .reduce((slots: Slots, { issue }) => withOneMore(slots, issue.state), {
      limits,
      taken: 0,
      takenByState: new Map(),
    });
}

/** The slots after one more agent started on an issue in this state. */
export function withOneMore(slots: Slots, state: string): Slots {
  const key = normalized(state);
  const takenByState = new Map(slots.takenByState).set(key, (slots.takenByState.get(key) ?? 0) + 1);
  return { ...slots, taken: slots.taken + 1, takenByState };
}

/** Never negative: a limit that was lowered ends no run. */
export function freeSlots({ limits, taken }: Slots): number {
  return Math.max(limits.global - taken, 0);
}

/** The limit of a state, and how much of it is left. Without a limit of its own, a state has the global one. */
export function freeInState(slots: Slots, state: string): { readonly limit: number; readonly free: number } {
  const key = normalized(state);
  const { byState, global } = slots.limits;
  // A state can have the name of a property of every object, such as `constructor`.
  const limit = Object.hasOwn(byState, key) ? (byState[key] ?? global) : global;
  return { limit, free: Math.max(limit - (slots.takenByState.get(key) ?? 0), 0) };
}
