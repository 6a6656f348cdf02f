import type { TurnError } from "../../../protocol/index.ts";
import { TurnRetryingError } from "../../errors.ts";
import { isTerminal } from "./terminal.ts";

/** An `error` notification, of which any server may leave out anything. */
interface ErrorReport {
  readonly threadId: string;
  readonly turnId?: string | null;
  readonly error?: Partial<TurnError> | null;
  readonly willRetry?: boolean;
}

/** The last error of a thread's turn that the server tries to get over by itself. */
export class TurnTrouble {
  #last: TurnRetryingError | undefined;

  get last(): TurnRetryingError | undefined {
    return this.#last;
  }

  /** Takes an `error` notification. Returns the error if it is the first one of its turn. */
  note({ threadId, turnId, error, willRetry }: ErrorReport): TurnRetryingError | undefined {
    if (willRetry !== true || typeof turnId !== "string") return undefined;
    const isFirst = this.#last?.turnId !== turnId;
    this.#last = new TurnRetryingError({ threadId, turnId }, error ?? {});
    return isFirst ? this.#last : undefined;
  }

  /** Another turn begins, or one has ended: earlier errors explain nothing that comes later. */
  follow(method: string): void {
    if (method === "turn/started" || isTerminal(method)) this.#last = undefined;
  }
}
