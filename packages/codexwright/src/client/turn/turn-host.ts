import type { ServerEvent, Turn as WireTurn } from "../../protocol/index.ts";
import type { CloseReason } from "../../rpc/errors.ts";
import type { Requester } from "../connection/requester.ts";
import type { TurnRetryingError } from "../errors.ts";
import type { ThreadFold } from "../state/index.ts";

/** The server, as far as a turn asks it. */
export interface TurnServer {
  /** Sends a request; errors have the code their text stands for. */
  readonly request: Requester;
  /** The server's version, for behaviour that is not safe to probe. */
  serverVersion(): string;
}

/** What a turn needs of its thread. */
export interface TurnHost {
  readonly threadId: string;
  readonly server: TurnServer;
  readonly fold: ThreadFold;
  /** The last error of the running turn after which the server retries. */
  readonly retrying: TurnRetryingError | undefined;
  /** The turn takes the thread. */
  occupy(turn: HostedTurn): void;
  /** The turn has ended. */
  vacate(turn: HostedTurn): void;
  /** Asks the server to interrupt a turn. */
  interrupt(turnId: string): Promise<void>;
  /** A turn that was given up must not run on: it is interrupted now, or as soon as it runs. */
  stop(turnId: string): void;
  /** A turn was given up, and the server has not said that it has ended. */
  abandon(turnId: string, interrupted: boolean): void;
  /** Ends a turn in the state, if no event of the server has; without `turn`, as interrupted. */
  end(turnId: string, turn?: WireTurn): void;
}

/** A turn, as its thread drives it. */
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
