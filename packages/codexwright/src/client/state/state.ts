import type {
  RequestId,
  ServerRequests,
  ThreadItem,
  ThreadStatus,
  TokenUsageBreakdown,
  TurnError,
  TurnPlanStep,
  TurnStatus,
} from "../../protocol/index.ts";
import type { TurnUsage } from "./usage.ts";

/**
 * Whether an item is done: `incomplete` is one that its turn ended without.
 *
 * A message cut off by an interrupt stays `incomplete`; a command left running in the background becomes
 * `completed` when it ends, however long after its turn.
 */
export type ItemLife = "inProgress" | "completed" | "incomplete";

/** One item of a turn with everything the server has streamed of it so far. */
export interface ItemState {
  /** The item as `item/completed` gave it, until then as it started plus all its deltas. Never changed in place. */
  readonly item: ThreadItem;
  readonly life: ItemLife;
  /** The item's start was not seen: its text lacks the beginning, and its other fields are empty. */
  readonly partial?: true;
  /** What an MCP tool said last of its progress. */
  readonly progress?: string;
  /** What applying a file change printed; older servers only. */
  readonly output?: string;
}

/** One turn, whoever asked for it. */
export interface TurnState {
  readonly id: string;
  /**
   * The second id of an inline review: newer servers start the reviewer as a turn of its own, report its items under
   * `id`, and accept a `turn/interrupt` request only for this one. `interruptTurn()` accepts both.
   */
  readonly reviewerTurnId?: string;
  readonly status: TurnStatus;
  /** In the order they first appeared, each once. */
  readonly items: readonly ItemState[];
  /** The unified diff of all file changes so far. */
  readonly diff?: string;
  readonly plan?: readonly TurnPlanStep[];
  readonly planExplanation?: string;
  /** Why it failed; an error that the server retries is none. */
  readonly error?: TurnError;
  /** This turn's own tokens, not the thread's. */
  readonly usage?: TurnUsage;
  /** The thread's totals when the turn began, from which `usage` is counted. */
  readonly usageBefore?: TurnUsage;
  /** Some of the turn was not seen: items that had not completed then, and its usage, are not known. */
  readonly partial?: true;
  /** Unix seconds, where the server tells. */
  readonly startedAt?: number;
  readonly completedAt?: number;
  readonly durationMs?: number;
}

/** A request of the server's that nobody has answered yet. */
export type PendingRequest = {
  [M in keyof ServerRequests]: {
    readonly requestId: RequestId;
    readonly method: M;
    readonly params: ServerRequests[M]["params"];
  };
}[keyof ServerRequests];

/** How full the model's context is. */
export interface ContextMeter {
  /** Tokens of the last model call. */
  readonly usedTokens: number;
  /** What the model can take, where the server knows. */
  readonly windowTokens?: number;
}

/**
 * All that is known of one thread, as plain JSON.
 *
 * A state is never changed once it was handed out, and what did not change between two states is the same
 * object in both.
 */
export interface ThreadState {
  readonly threadId: string;
  /** As the server reported it last; servers before 0.105 do not. */
  readonly status?: ThreadStatus;
  readonly name?: string;
  /** The thread that started this one, if it is a sub-agent's. */
  readonly parentThreadId?: string;
  /** In the order they first appeared, the 50 most recent ones; the server has them all. */
  readonly turns: readonly TurnState[];
  /** The turn that runs now, whoever asked for it. */
  readonly activeTurnId?: string;
  /** Totals of the whole thread. */
  readonly usage?: TokenUsageBreakdown;
  readonly context?: ContextMeter;
  /** In the order they came. */
  readonly pendingRequests: readonly PendingRequest[];
}

/** How many turns a state holds: the memory of a client that runs for weeks stays flat. */
export const MAX_TURNS = 50;

/** The state of a thread of which nothing has been heard. */
export function initialThreadState(threadId: string): ThreadState {
  return { threadId, turns: [], pendingRequests: [] };
}
