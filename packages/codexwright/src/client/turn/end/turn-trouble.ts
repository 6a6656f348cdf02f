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

/** The last error of a thread after which the server retries. The thread decides whether its turn still runs. */
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

  /** Forgets the error when another turn begins or its own turn ends: it explains nothing that comes later. */
  follow(method: string, turnId: string | undefined): void {
    const ended = isTerminal(method) && (turnId ?? this.#last?.turnId) === this.#last?.turnId;
    if (method === "turn/started" || ended) this.#last = undefined;
  }
}
