import type { ServerEvent } from "../../../protocol/index.ts";
import type { Coalescer } from "../../../rpc/queue.ts";

/**
 * The notifications of a text conversation. To receive audio and SDP, start a conversation with `request` and listen
 * for them.
 */
export const REALTIME_METHODS = [
  "thread/realtime/started",
  "thread/realtime/itemAdded",
  "thread/realtime/item/started",
  "thread/realtime/item/transcript/delta",
  "thread/realtime/item/completed",
  "thread/realtime/transcript/delta",
  "thread/realtime/transcript/done",
  "thread/realtime/error",
  "thread/realtime/closed",
] as const;

/** A notification of a realtime conversation, as it is on the wire. */
export type RealtimeEvent = Extract<ServerEvent, { method: (typeof REALTIME_METHODS)[number] }>;

interface DeltaParams {
  readonly delta?: string;
  readonly itemId?: string;
  readonly role?: string;
}

/** Joins the text of one speaker for a consumer that lags. */
export const realtimeCoalescer: Coalescer<RealtimeEvent> = {
  key(event) {
    const { delta, itemId, role } = event.params as DeltaParams;
    return delta === undefined ? undefined : `${event.method} ${itemId ?? role}`;
  },
  text: (event) => (event.params as { delta: string }).delta,
  withText: (event, delta) => ({ ...event, params: { ...event.params, delta } }) as RealtimeEvent,
};
