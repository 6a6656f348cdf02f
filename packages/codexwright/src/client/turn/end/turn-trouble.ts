import type { TurnError } from "../../../protocol/index.ts";
import { TurnRetryingError } from "../../errors.ts";
import { isTerminal } from "./terminal.ts";

/** An `error` notification. Any server may omit any field. */
interface ErrorReport {
  readonly threadId: string;
  readonly turnId?: string | null;
  readonly error?: Partial<TurnError> | null;
  readonly willRetry?: boolean;
}

/**
 * The last error on a thread that made the server retry. The caller decides whether the turn of that error still runs.
 */
export class TurnTrouble {
  #last: TurnRetryingError | undefined;

  get last(): TurnRetryingError | undefined {
    return this.#last;
  }

  /** Records an `error` notification. Returns the error if it is the first one of its turn. */
  note({ threadId, turnId, error, willRetry }: ErrorReport): TurnRetryingError | undefined {
    if (willRetry !== true || typeof turnId !== "string") return undefined;
    const isFirst = this.#last?.turnId !== turnId;
    this.#last = new TurnRetryingError({ threadId, turnId }, error ?? {});
    return isFirst ? this.#last : undefined;
  }

  /**
   * Clears the error when another turn begins or the turn of the error ends, because it does not explain later
   * failures.
   */
  follow(method: string, turnId: string | undefined): void {
    const ended = isTerminal(method) && (turnId ?? this.#last?.turnId) === this.#last?.turnId;
    if (method === "turn/started" || ended) this.#last = undefined;
  }
}
