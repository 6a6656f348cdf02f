import type { Coalescer } from "../../rpc/queue.ts";
import { withParams, type TurnEvent } from "./live-event.ts";

/** Params of the notifications that contain a piece of an item's text. */
interface DeltaParams {
  readonly itemId?: string;
  readonly delta?: unknown;
  /** The indices distinguish the parts of a reasoning item. */
  readonly summaryIndex?: number;
  readonly contentIndex?: number;
}

/** Joins the text deltas of one part of one item for a slow consumer. */
export const deltaCoalescer: Coalescer<TurnEvent> = {
  key(event) {
    const { itemId, delta, summaryIndex, contentIndex } = event.params as DeltaParams;
    if (itemId === undefined || typeof delta !== "string") return undefined;
    return `${event.method} ${itemId} ${summaryIndex ?? ""} ${contentIndex ?? ""}`;
  },
  text: (event) => (event.params as { delta: string }).delta,
  withText: (event, delta) => withParams(event, { ...(event.params as object), delta }),
};
