export * from "../policy/backoff.ts";
export * from "../policy/decide.ts";
export * from "../policy/order.ts";
export * from "../policy/plan.ts";
export * from "../policy/reconcile.ts";
export * from "../policy/retries.ts";
export type { Situation } from "../policy/situation.ts";
export * from "../policy/slots.ts";
export * from "../policy/standing.ts";
