import type { ServerEvent, ThreadItem, Turn as WireTurn } from "../../protocol/index.ts";
import { finalAnswer } from "./end/final-answer.ts";
import type { LiveTurn } from "../state/index.ts";
import type { TurnClock } from "./turn-clock.ts";
import type { TurnResult } from "./end/turn-result.ts";

/** Items that represent work outside the model. While one of them runs, silence is normal. */
const TOOL_ITEMS: ReadonlySet<string> = new Set<ThreadItem["type"]>([
  "commandExecution",
  "mcpToolCall",
  "dynamicToolCall",
  "collabAgentToolCall",
  "webSearch",
  "imageGeneration",
  "sleep",
]);

/** Holds the clock of a turn while one of its tools runs. */
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

/** Builds the result of a completed turn from its folded state. */
export function resultOf(
  turn: WireTurn,
  live: LiveTurn | undefined,
  elapsedMs: number,
  source: TurnResult["source"],
): TurnResult {
  const completed = (live?.items ?? []).filter(({ life }) => life === "completed").map(({ item }) => item);
  const known = new Set(completed.map(({ id }) => id));
  // A turn that was read back, or the terminal event, may contain items whose own events were lost.
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
