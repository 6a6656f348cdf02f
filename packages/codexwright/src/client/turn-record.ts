import type {
  ServerNotifications,
  ThreadItem,
  TokenUsageBreakdown,
  Turn as WireTurn,
  TurnPlanStep,
} from "../protocol/index.ts";
import { UsageMeter, type TurnUsage } from "./usage.ts";

/** What a completed turn amounts to. */
export interface TurnResult<T = undefined> {
  /** The turn as its last event gave it. Its own `items` are at most the final message: see `items` here. */
  readonly turn: WireTurn;
  /** Every completed item of the turn, in the order they first appeared. */
  readonly items: readonly ThreadItem[];
  /** The final answer, or "" if there was none. */
  readonly agentMessage: string;
  /** The unified diff of all file changes of the turn. */
  readonly diff?: string;
  readonly plan?: readonly TurnPlanStep[];
  /** This turn's own tokens, not the thread's. */
  readonly usage?: TurnUsage;
  readonly durationMs: number;
  readonly output: T;
  /** Whether the server's own terminal event ended the turn, or its state was read back. */
  readonly source: "server" | "reconciled";
}

/** Collects what a turn leaves behind. */
export class TurnRecord {
  readonly #items = new Map<string, ThreadItem>();
  readonly #usage: UsageMeter;
  readonly #since: number = performance.now();
  #diff: string | undefined;
  #plan: readonly TurnPlanStep[] | undefined;

  constructor(usageBefore: TokenUsageBreakdown | undefined) {
    this.#usage = new UsageMeter(usageBefore);
  }

  itemCompleted({ item }: ServerNotifications["item/completed"]): void {
    this.#items.set(item.id, item);
  }

  diffUpdated({ diff }: ServerNotifications["turn/diff/updated"]): void {
    this.#diff = diff;
  }

  planUpdated({ plan }: ServerNotifications["turn/plan/updated"]): void {
    this.#plan = plan;
  }

  usageUpdated({ tokenUsage }: ServerNotifications["thread/tokenUsage/updated"]): void {
    this.#usage.update(tokenUsage);
  }

  result(turn: WireTurn): TurnResult {
    // A server that sends the final message only with the turn itself still gave it.
    for (const item of turn.items ?? []) if (!this.#items.has(item.id)) this.#items.set(item.id, item);
    const items = [...this.#items.values()];
    const { usage } = this.#usage;
    return {
      turn,
      items,
      agentMessage: finalAnswer(items),
      ...(this.#diff !== undefined && { diff: this.#diff }),
      ...(this.#plan !== undefined && { plan: this.#plan }),
      ...(usage !== undefined && { usage }),
      durationMs: turn.durationMs ?? Math.round(performance.now() - this.#since),
      output: undefined,
      source: "server",
    };
  }
}

/** The last message marked final, else the last one without a mark; commentary is never the answer. */
export function finalAnswer(items: readonly ThreadItem[]): string {
  let unmarked: string | undefined;
  let final: string | undefined;
  for (const item of items) {
    if (item.type !== "agentMessage") continue;
    if (item.phase === "final_answer") final = item.text;
    else if (!item.phase) unmarked = item.text;
  }
  return final ?? unmarked ?? "";
}
