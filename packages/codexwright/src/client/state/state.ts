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
 * Whether an item is done. `incomplete` means that the turn ended before the item did.
 *
 * A message that was cut off by an interrupt stays `incomplete`. A command that still runs in the background becomes
 * `completed` when the command ends, even long after its turn.
 */
export type ItemLife = "inProgress" | "completed" | "incomplete";

/** One item of a turn, with everything that the server has streamed so far. */
export interface ItemState {
  /** The item of `item/completed`; before that, the item of `item/started` plus all deltas. Never changed in place. */
  readonly item: ThreadItem;
  readonly life: ItemLife;
  /** The start of the item was missed: its text lacks the beginning, and its other fields are empty. */
  readonly partial?: true;
  /** The last progress message of an MCP tool. */
  readonly progress?: string;
  /** Output of applying a file change; sent only by older servers. */
  readonly output?: string;
}

/** One turn, even if another client started it. */
export interface TurnState {
  readonly id: string;
  /**
   * The second turn id of an inline review. Newer servers start the reviewer as a separate turn with this id, but
   * report its items under `id`. They accept a `turn/interrupt` request only for this id. `interruptTurn()` accepts
   * both ids.
   */
  readonly reviewerTurnId?: string;
  readonly status: TurnStatus;
  /** In order of first appearance, without duplicates. */
  readonly items: readonly ItemState[];
  /** The unified diff of all file changes so far. */
  readonly diff?: string;
  readonly plan?: readonly TurnPlanStep[];
  readonly planExplanation?: string;
  /** Why the turn failed; errors that the server retries are not included. */
  readonly error?: TurnError;
  /** The tokens of this turn, not of the thread. */
  readonly usage?: TurnUsage;
  /** The thread's totals when the turn began; the baseline of `usage`. */
  readonly usageBefore?: TurnUsage;
  /** Part of the turn was missed. Its usage is unknown, and so are items that were not complete at that time. */
  readonly partial?: true;
  /** Unix seconds, if the server reports it. */
  readonly startedAt?: number;
  readonly completedAt?: number;
  readonly durationMs?: number;
}

/** A server request that is not answered yet. */
export type PendingRequest = {
  [M in keyof ServerRequests]: {
    readonly requestId: RequestId;
    readonly method: M;
    readonly params: ServerRequests[M]["params"];
  };
}[keyof ServerRequests];

/** How full the context of the model is. */
export interface ContextMeter {
  /** Tokens of the last model call. */
  readonly usedTokens: number;
  /** The size of the model's context, if the server knows it. */
  readonly windowTokens?: number;
}

/**
 * The known state of one thread, as plain JSON.
 *
 * A state never changes after it was returned. Parts that are equal in two states are the same object in both.
 */
export interface ThreadState {
  readonly threadId: string;
  /** The last status that the server reported; servers before 0.105 do not report one. */
  readonly status?: ThreadStatus;
  readonly name?: string;
  /** If this is a sub-agent's thread: the thread that started it. */
  readonly parentThreadId?: string;
  /** The 50 most recent turns, in order of first appearance. Older turns are available only from the server. */
  readonly turns: readonly TurnState[];
  /** The running turn, even if another client started it. */
  readonly activeTurnId?: string;
  /** Token totals of the whole thread. */
  readonly usage?: TokenUsageBreakdown;
  readonly context?: ContextMeter;
  /** In order of arrival. */
  readonly pendingRequests: readonly PendingRequest[];
}

/** The maximum number of turns in a state, so that the memory of a client that runs for weeks does not grow. */
export const MAX_TURNS = 50;

/** The state of a thread before its first event. */
export function initialThreadState(threadId: string): ThreadState {
  return { threadId, turns: [], pendingRequests: [] };
}
