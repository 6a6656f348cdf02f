import type {
  ServerNotifications,
  Thread as WireThread,
  ThreadItem,
  Turn as WireTurn,
  TurnPlanStep,
} from "../../protocol/index.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import { shownName } from "../../rpc/options/shown.ts";
import { CONNECTION_EVENTS, type ConnectionEvents } from "../connection/events.ts";
import type { Thread } from "../thread/thread.ts";
import type { Turn } from "../turn/turn.ts";

/** The thread and turn of an event. */
export interface EventPlace {
  readonly threadId: string;
  readonly turnId: string;
}

/** The events of a client: those of its own lifecycle, and the wire notifications under names with colons. */
export interface ClientEvents extends ConnectionEvents {
  "thread:started": [thread: WireThread];
  "turn:started": [turn: WireTurn, place: EventPlace];
  "turn:completed": [turn: WireTurn, place: EventPlace];
  "turn:diff:updated": [update: EventPlace & { readonly diff: string }];
  "turn:plan:updated": [update: EventPlace & { readonly plan: TurnPlanStep[] }];
  "item:started": [item: ThreadItem, place: EventPlace];
  "item:completed": [item: ThreadItem, place: EventPlace];
  "item:agentMessage:delta": [delta: { readonly itemId: string; readonly text: string }, place: EventPlace];
  "item:commandExecution:outputDelta": [
    delta: { readonly itemId: string; readonly output: string },
    place: EventPlace,
  ];
}

/**
 * Events whose listeners may declare the data with the handle type of the same name (docs/spec/spec-002.md):
 * `on("turn:started", (turn: Turn) => …)`. The listener still receives plain data, which has the fields of the handle
 * (`id`, `status`, `items`, `error`) but not its methods.
 */
export interface NamedByHandle {
  "thread:started": [thread: Thread];
  "turn:started": [turn: Turn, place: EventPlace];
  "turn:completed": [turn: Turn, place: EventPlace];
}

type Translation<E extends keyof ClientEvents> = {
  [M in keyof ServerNotifications]: {
    readonly method: M;
    readonly args: (params: ServerNotifications[M]) => ClientEvents[E];
  };
}[keyof ServerNotifications];

function from<M extends keyof ServerNotifications, A>(
  method: M,
  args: (params: ServerNotifications[M]) => A,
): { method: M; args: (params: ServerNotifications[M]) => A } {
  return { method, args };
}

const turn = ({ threadId, turn: each }: { threadId: string; turn: WireTurn }): [WireTurn, EventPlace] => [
  each,
  { threadId, turnId: each.id },
];

const item = ({
  threadId,
  turnId,
  item: each,
}: EventPlace & { item: ThreadItem }): [ThreadItem, EventPlace] => [each, { threadId, turnId }];

/** The notification behind each event with a colon. */
export const WIRE_EVENTS: {
  readonly [E in Extract<keyof ClientEvents, `${string}:${string}`>]: Translation<E>;
} = {
  "thread:started": from("thread/started", ({ thread }) => [thread]),
  "turn:started": from("turn/started", turn),
  "turn:completed": from("turn/completed", turn),
  "turn:diff:updated": from("turn/diff/updated", ({ threadId, turnId, diff }) => [
    { threadId, turnId, diff },
  ]),
  "turn:plan:updated": from("turn/plan/updated", ({ threadId, turnId, plan }) => [
    { threadId, turnId, plan },
  ]),
  "item:started": from("item/started", item),
  "item:completed": from("item/completed", item),
  "item:agentMessage:delta": from("item/agentMessage/delta", ({ threadId, turnId, itemId, delta }) => [
    { itemId, text: delta },
    { threadId, turnId },
  ]),
  "item:commandExecution:outputDelta": from(
    "item/commandExecution/outputDelta",
    ({ threadId, turnId, itemId, delta }) => [
      { itemId, output: delta },
      { threadId, turnId },
    ],
  ),
};

const NAMES: ReadonlySet<unknown> = new Set([...CONNECTION_EVENTS, ...Object.keys(WIRE_EVENTS)]);

/** Throws for an event that the client never emits: a listener for it would wait forever. */
export function checkEvent(event: unknown): void {
  if (NAMES.has(event)) return;
  throw new InvalidArgumentError(
    `there is no event ${shownName(event)}: use onNotification() for server notifications, or one of ${[...NAMES].join(", ")}`,
  );
}
