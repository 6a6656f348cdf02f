import type { ServerEvent, Turn as WireTurn } from "../../protocol/index.ts";
import type { CloseReason } from "../../rpc/errors.ts";
import type { Requester } from "../connection/requester.ts";
import type { TurnRetryingError } from "../errors.ts";
import type { ThreadFold } from "../state/index.ts";

/** The part of the server that a turn uses. */
export interface TurnServer {
  /** Sends a request; errors are mapped to typed errors by their text. */
  readonly request: Requester;
  /** The server's version, for behaviour that is not safe to probe. */
  serverVersion(): string;
}

/** The part of a thread that a turn uses. */
export interface TurnHost {
  readonly threadId: string;
  readonly server: TurnServer;
  readonly fold: ThreadFold;
  /** The last error that made the server retry during the running turn. */
  readonly retrying: TurnRetryingError | undefined;
  /** Called when the turn starts; it then occupies the thread. */
  occupy(turn: HostedTurn): void;
  /** Called when the turn has ended. */
  vacate(turn: HostedTurn): void;
  /** Asks the server to interrupt a turn. */
  interrupt(turnId: string): Promise<void>;
  /** Interrupts a turn that was given up, immediately or as soon as it starts. */
  stop(turnId: string): void;
  /** Called when a turn was given up before the server reported its end. */
  abandon(turnId: string, interrupted: boolean): void;
  /** Ends a turn in the state if no server event has. If `turn` is omitted, the turn ends as interrupted. */
  end(turnId: string, turn?: WireTurn): void;
}

/** A turn, as seen by its thread. */
export interface HostedTurn {
  launch(): void;
  deliver(event: ServerEvent): void;
  append(event: ServerEvent): void;
  hold(): () => void;
  threadRests(): void;
  threadActive(): void;
  giveUp(error: Error): void;
  disconnected(reason: CloseReason): void;
  recovered(): void;
  interrupt(): Promise<void>;
  mayBe(turnId: string): boolean;
}
