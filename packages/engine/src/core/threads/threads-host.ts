import type { EngineHost } from "../host.ts";
import type { LoadedThread } from "./loaded-thread.ts";
import type { LoadedThreads } from "./loaded-threads.ts";
import type { TurnInput } from "./running-turn.ts";

/** An engine with its threads, and a way to start a turn for those that cannot import turns. */
export interface ThreadsHost extends EngineHost {
  readonly loaded: LoadedThreads;
  /** Starts a turn that no client asked for. */
  startTurn(thread: LoadedThread, input: TurnInput, rootTurnId: string): void;
}
