export type { LocalEvent, ThreadEvent } from "./events.ts";
export { ThreadFold, type LiveTurn } from "./fold.ts";
export { reduceThread } from "./reduce.ts";
export {
  initialThreadState,
  type ContextMeter,
  type ItemState,
  type PendingRequest,
  type ThreadState,
  type TurnState,
} from "./state.ts";
export type { TurnUsage } from "./usage.ts";
