import type { EngineHost } from "../host.ts";
import type { LoadedThread } from "./loaded-thread.ts";
import type { LoadedThreads } from "./loaded-threads.ts";
import type { ThreadQueues } from "./thread-queues.ts";
import type { TurnInput } from "./running-turn.ts";

/** An engine with its threads. `startTurn` is here for modules that must not import turns. */
export interface ThreadsHost extends EngineHost {
  readonly loaded: LoadedThreads;
  readonly queues: ThreadQueues;
  /** Starts a turn that no client asked for. */
  startTurn(thread: LoadedThread, input: TurnInput, rootTurnId: string): void;
}
