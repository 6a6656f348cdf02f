import type { JsonValue, ServerNotifications, ThreadItem, Turn, UserInput } from "codexwright/protocol";

/** Input of a user within a turn. */
export interface TurnInput {
  readonly input: readonly UserInput[];
  readonly clientId: string | null;
}

/** The turn that runs on a thread, as the thread knows it. `TurnRun` implements it. */
export interface RunningTurn {
  readonly id: string;
  readonly kind: "turn" | "review" | "compact" | "shell";
  /** The id it is interrupted by: a review runs as a turn within a turn, and the inner one is what is active. */
  readonly activeId: string;
  readonly outputSchema: JsonValue | undefined;
  /** Starts and completes items of the turn. */
  readonly items: {
    start(item: ThreadItem): void;
    complete(item: ThreadItem): void;
  };
  /** Resolves when clients were notified of the end of the turn. */
  readonly ended: Promise<void>;
  /** Notifies the followers of the thread of something in this turn. */
  notify<M extends keyof ServerNotifications>(
    method: M,
    params: Omit<ServerNotifications[M], "threadId" | "turnId">,
  ): void;
  /** The answer to the request that starts a turn. */
  acknowledged(): Turn;
  /** Adds input while the turn runs. */
  steer(input: TurnInput): void;
  /** Interrupts it. Resolves when it has stopped; call the function when the interruption was answered. */
  interrupt(): Promise<() => void>;
  /** Interrupts it if no client waits for the answer. Resolves when the turn has ended. */
  interruptForGood(): Promise<void>;
  /** The server is closed: the turn sends nothing any more. */
  abandon(): void;
}
