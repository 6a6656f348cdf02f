import type { TurnStartParams } from "../protocol/index.ts";
import { ThreadBusyError } from "./errors.ts";
import { toUserInput, type TurnInput } from "./input.ts";
import type { Requester, ThreadRoute } from "./routes.ts";
import { toApprovalPolicy, type ApprovalSpelling } from "./spelling.ts";
import { Turn } from "./turn.ts";
import type { TurnResult } from "./turn-record.ts";

/** Limits and overrides of one turn. Overrides last for the turns after it too, as on the wire. */
export interface TurnOptions extends Omit<
  TurnStartParams,
  "threadId" | "input" | "outputSchema" | "approvalPolicy"
> {
  /** Interrupts the turn and rejects it with `aborted`. */
  signal?: AbortSignal;
  /** For the whole turn; 0 or absent = no limit. */
  timeoutMs?: number;
  /** Without a sign of life of the turn; default: the client's `turnSilenceMs`; 0 = no limit. */
  silenceMs?: number;
  approvalPolicy?: ApprovalSpelling | null;
}

/** A conversation with Codex. Handles are cheap: two of the same id share everything but identity. */
export class Thread {
  readonly id: string;
  readonly #request: Requester;
  readonly #route: ThreadRoute;
  readonly #defaultSilenceMs: number;

  constructor(request: Requester, route: ThreadRoute, defaultSilenceMs: number) {
    this.id = route.threadId;
    this.#request = request;
    this.#route = route;
    this.#defaultSilenceMs = defaultSilenceMs;
  }

  /** Runs a turn to its end. Rejects `thread_busy` while another one runs. */
  async run(input: TurnInput, options: TurnOptions = {}): Promise<TurnResult> {
    return await this.#begin(input, options, false).completed;
  }

  /** Starts a turn and gives its handle at once. Throws `thread_busy` while another one runs. */
  turn(input: TurnInput, options: TurnOptions = {}): Turn {
    return this.#begin(input, options, true);
  }

  #begin(input: TurnInput, options: TurnOptions, observed: boolean): Turn {
    const { signal, timeoutMs = 0, silenceMs = this.#defaultSilenceMs, approvalPolicy, ...wire } = options;
    const params = {
      ...wire,
      ...(approvalPolicy && { approvalPolicy: toApprovalPolicy(approvalPolicy) }),
      input: toUserInput(input),
    };
    if (this.#route.turn) throw new ThreadBusyError(this.id);
    return new Turn(this.#request, this.#route, params, { signal, timeoutMs, silenceMs }, observed);
  }
}
