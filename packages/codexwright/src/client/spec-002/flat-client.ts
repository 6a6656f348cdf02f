import type { ServerNotifications, UserInput } from "../../protocol/index.ts";
import { checkOptions } from "../../rpc/options/table.ts";
import { Emitter } from "../connection/emitter.ts";
import type { NotificationListener } from "../connection/listeners.ts";
import type { StartedReview } from "../review/review.ts";
import type { Thread } from "../thread/thread.ts";
import { toUserInput, type TurnInput } from "../turn/options/input.ts";
import { steerTurn } from "../turn/steer.ts";
import type { HostedTurn, TurnServer } from "../turn/turn-host.ts";
import { ownItems } from "../turn/end/turn-result.ts";
import type { Turn } from "../turn/turn.ts";
import { checkEvent, type ClientEvents, type NamedByHandle } from "./events.ts";
import type * as spec from "./spec-types.ts";
import { LIST_MODELS, LIST_THREADS, START_TURN, STEER_TURN } from "./tables.ts";
import { TranslatedEvents } from "./translated-events.ts";

/** The parts of a client that the flat methods use in addition to its public methods. */
export interface FlatParts {
  /** Sends requests that reject with typed errors. */
  readonly threadHost: TurnServer;
  readonly services: { execCommand(params: spec.ExecCommandParams): Promise<spec.ExecCommandResult> };
  /** `turn` is the turn that this client runs on the thread. */
  route(threadId: string): {
    readonly turn: HostedTurn | undefined;
    interrupt(turnId: string): Promise<void>;
  };
  startReview(params: spec.StartReviewParams): Promise<StartedReview>;
  runReview(params: spec.StartReviewParams): Promise<spec.CompletedReview>;
}

/**
 * The parts of the client in docs/spec/spec-002.md that our own API does not have: an emitter of events with colons,
 * and flat methods. The flat methods call the public methods of `CodexClient`, which extends this class.
 */
export abstract class FlatClient extends Emitter<ClientEvents, NamedByHandle> {
  readonly #parts: FlatParts;
  readonly #translated = new TranslatedEvents(
    (method, listener) => this.onNotification(method, listener),
    (event, ...args) => this.emit(event, ...args),
  );

  /** @param parts creates the parts of this client */
  protected constructor(parts: (client: FlatClient) => FlatParts) {
    super();
    this.#parts = parts(this);
  }

  abstract thread(id: string): Thread;
  abstract get stderrTail(): string | undefined;
  abstract onNotification<M extends keyof ServerNotifications>(
    method: M,
    listener: NotificationListener<M>,
  ): () => void;

  async readThread(id: string, includeTurns = false): Promise<spec.ThreadSummary> {
    return await this.thread(id).read(includeTurns);
  }

  /** Returns one page of the stored threads. */
  async listThreads(params: spec.ListThreadsParams = {}): Promise<spec.ThreadListResult> {
    const wanted = checkOptions("listThreads()", params, LIST_THREADS);
    return await this.#parts.threadHost.request("thread/list", wanted);
  }

  async archiveThread(id: string): Promise<void> {
    await this.thread(id).archive();
  }

  async compactThread(id: string): Promise<void> {
    await this.thread(id).compact();
  }

  /** Starts a turn. Resolves with its handle when the server has assigned an id; `status` is then "inProgress". */
  async startTurn(params: spec.StartTurnParams): Promise<Turn> {
    const { threadId, input, ...options } = checkOptions("startTurn()", params, START_TURN);
    const turn = this.thread(threadId).turn(joinInputs(input), options);
    await turn.started;
    return turn;
  }

  /** Runs a turn to its end. */
  async runTurn(params: spec.StartTurnParams): Promise<spec.CompletedTurn> {
    const { threadId, input, ...options } = checkOptions("runTurn()", params, START_TURN);
    return ownItems(await this.thread(threadId).run(joinInputs(input), options));
  }

  /** Adds input to a running turn. Resolves with the id of the turn. */
  async steerTurn(params: spec.SteerTurnParams): Promise<string> {
    const { input, ...rest } = checkOptions("steerTurn()", params, STEER_TURN);
    return await steerTurn(this.#parts.threadHost, { ...rest, input: joinInputs(input) });
  }

  async interruptTurn(threadId: string, turnId: string): Promise<void> {
    const route = this.#parts.route(threadId);
    if (route.turn?.mayBe(turnId)) await route.turn.interrupt();
    else await route.interrupt(turnId);
  }

  /** Starts a review. Resolves when the server has started it, with the thread on which it runs. */
  async startReview(params: spec.StartReviewParams): Promise<spec.ReviewResult> {
    const { wire, reviewThreadId } = await this.#parts.startReview(params);
    return { turn: wire, reviewThreadId };
  }

  /** Runs a review to its end. */
  async runReview(params: spec.StartReviewParams): Promise<spec.CompletedReview> {
    return await this.#parts.runReview(params);
  }

  async listModels(params: spec.ListModelsParams = {}): Promise<spec.ModelListResult> {
    const wanted = checkOptions("listModels()", params, LIST_MODELS);
    return await this.#parts.threadHost.request("model/list", wanted);
  }

  /** Runs a command in the server's sandbox to its end. */
  async execCommand(params: spec.ExecCommandParams): Promise<spec.ExecCommandResult> {
    return await this.#parts.services.execCommand(params);
  }

  protected override listened(event: keyof ClientEvents): void {
    checkEvent(event);
    this.#translated.start(event);
  }

  protected override unlistened(event: keyof ClientEvents): void {
    this.#translated.stop(event);
  }
}

/** Converts the input of the flat methods, which may also be a list of inputs. */
function joinInputs(input: TurnInput | readonly TurnInput[]): UserInput[] {
  return Array.isArray(input) && input.length > 0
    ? (input as readonly TurnInput[]).flatMap(toUserInput)
    : toUserInput(input as TurnInput);
}
