import type { ServerEvent, ThreadItem, Turn as WireTurn } from "../../protocol/index.ts";
import { finalAnswer } from "./end/final-answer.ts";
import type { LiveTurn } from "../state/index.ts";
import type { TurnClock } from "./turn-clock.ts";
import type { TurnResult } from "./end/turn-result.ts";

/** Items that stand for work outside the model: while one runs, silence is not a sign of trouble. */
const TOOL_ITEMS: ReadonlySet<string> = new Set<ThreadItem["type"]>([
  "commandExecution",
  "mcpToolCall",
  "dynamicToolCall",
  "collabAgentToolCall",
  "webSearch",
  "imageGeneration",
  "sleep",
]);

/** Holds a turn's clock while a tool of its runs. */
export class ToolWatch {
  readonly #clock: TurnClock;
  readonly #open = new Map<string, () => void>();

  constructor(clock: TurnClock) {
    this.#clock = clock;
  }

  note(event: ServerEvent): void {
    if (event.method === "item/started") {
      const { id, type } = event.params.item;
      if (TOOL_ITEMS.has(type) && !this.#open.has(id)) this.#open.set(id, this.#clock.hold());
    } else if (event.method === "item/completed") {
      const { id } = event.params.item;
      this.#open.get(id)?.();
      this.#open.delete(id);
    }
  }
}

/** The result of a turn that ended well, from what was folded of it. */
export function resultOf(
  turn: WireTurn,
  live: LiveTurn | undefined,
  elapsedMs: number,
  source: TurnResult["source"],
): TurnResult {
  const completed = (live?.items ?? []).filter(({ life }) => life === "completed").map(({ item }) => item);
  const known = new Set(completed.map(({ id }) => id));
  // What was read back, or came with the turn itself, may hold items whose own events were lost.
  const items = [...completed, ...(turn.items ?? []).filter(({ id }) => !known.has(id))];
  return {
    turn,
    items,
    agentMessage: finalAnswer(items),
    ...(live?.diff !== undefined && { diff: live.diff }),
    ...(live?.plan !== undefined && { plan: live.plan }),
    ...(live?.usage !== undefined && { usage: live.usage }),
    durationMs: turn.durationMs ?? elapsedMs,
    output: undefined,
    source,
  };
}
