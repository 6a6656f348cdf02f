import type {
  JsonValue,
  ThreadMetadataUpdateParams,
  ThreadReadResponse,
  ThreadUnsubscribeStatus,
  Thread as WireThread,
} from "../../protocol/index.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import { overriddenConfinement } from "./confinement.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, needed, type Table } from "../../rpc/options/table.ts";
import { ThreadBusyError, type TurnRetryingError } from "../errors.ts";
import { toUserInput, type TurnInput } from "../turn/options/input.ts";
import type { Realtime, RealtimeOptions } from "../services/realtime/index.ts";
import { checkCall, type CallOptions } from "../connection/requester.ts";
import { OutputInvalidError, type InferOutput, type Schema, type StrictOutput } from "../../schema/index.ts";
import { NoActiveTurnError } from "../connection/server/server-errors.ts";
import type { ThreadState } from "../state/index.ts";
import type { ForkThreadOptions, RevertTarget } from "./thread-options.ts";
import { steerTurn } from "../turn/steer.ts";
import { refuseEnded, unarchived, unloaded } from "./thread-facts.ts";
import { ThreadFields } from "./thread-fields.ts";
import type { ThreadHost, ThreadListener, ThreadRoute } from "./thread-route.ts";
import { splitTurnOptions, TURN_OPTIONS, type TurnOptions } from "../turn/options/turn-options.ts";
import type { TurnResult } from "../turn/end/turn-result.ts";
import { Turn } from "../turn/turn.ts";

/** The schema of the final answer, and how often to ask the model to repair an invalid answer. */
export interface OutputOptions<S extends Schema> {
  output: S;
  /** How many further turns may be used to repair an invalid answer; default 0. Only `run` supports repairs. */
  repair?: number | undefined;
}

export interface SendOptions extends TurnOptions {
  /**
   * The behaviour if a turn is already running: add the input to that turn (`steer`), start a new turn when that turn has
   * ended (`queue`), or interrupt that turn and then start a new one (`interrupt`).
   */
  mode: "steer" | "queue" | "interrupt";
}

const SEND_OPTIONS: Table<SendOptions> = {
  ...TURN_OPTIONS,
  mode: needed(is.oneOf("steer", "queue", "interrupt")),
};

type Metadata = Omit<ThreadMetadataUpdateParams, "threadId">;

const METADATA: Table<Metadata> = {
  projectId: is.anything,
  gitInfo: is.anything,
  daybreakEnabled: is.anything,
};

/**
 * The outcome of `send`. If it is `queued` or `started`, `turn` is the message's own new turn. If it is `steered`,
 * `turn` is the turn that received the message.
 */
export interface SendResult {
  readonly outcome: "steered" | "started" | "queued";
  readonly turn: Turn;
}

/** The schema of a turn's answer, and how many repair turns are left. */
interface OutputPlan<T> {
  readonly strict: StrictOutput<T>;
  readonly repairs: number;
}

/** The answer was invalid, and a repair turn is queued. */
class RepairUnderWay extends Error {
  readonly turn: Turn<unknown>;

  constructor(turn: Turn<unknown>, cause: OutputInvalidError) {
    super("the answer is being repaired", { cause });
    this.turn = turn;
  }
}

type AnyOptions = TurnOptions & Partial<OutputOptions<Schema>>;

const RUN_OPTIONS: Table<AnyOptions> = {
  ...TURN_OPTIONS,
  output: is.either(is.object, is.func),
  repair: is.integer(0),
};

/** A conversation with Codex. Handles are cheap: all handles of one id share the same state. */
export class Thread extends ThreadFields {
  readonly #host: ThreadHost;
  readonly #fork: (options: ForkThreadOptions) => Promise<Thread>;

  constructor(host: ThreadHost, route: ThreadRoute, fork: (options: ForkThreadOptions) => Promise<Thread>) {
    super(route);
    this.#host = host;
    this.#fork = fork;
  }

  /**
   * The folded state of the thread: turns, items, plan, diff, usage, context and pending requests. Each change creates
   * a new object.
   */
  get state(): ThreadState {
    return this.route.fold.state;
  }

  /** The last error that made the server retry during the active turn, if there is one. */
  get retrying(): TurnRetryingError | undefined {
    return this.route.retrying;
  }

  /** Calls the listener after each event of the thread, with the new state. Returns an unsubscribe function. */
  subscribe(listener: ThreadListener): () => void {
    return this.route.subscribe(listener);
  }

  /**
   * Runs a turn and waits for its result. Rejects with `thread_busy` while another turn runs. If `output` is set, the
   * final answer is parsed and validated, and the call rejects with `output_invalid` if the answer is still invalid
   * after `repair` further turns.
   */
  run<S extends Schema>(
    input: TurnInput,
    options: TurnOptions & OutputOptions<S>,
  ): Promise<TurnResult<InferOutput<S>>>;
  run(input: TurnInput, options?: TurnOptions): Promise<TurnResult>;
  async run(input: TurnInput, options: AnyOptions = {}): Promise<TurnResult<unknown>> {
    checkOptions("thread.run()", options, RUN_OPTIONS);
    const { output, repair = 0, ...rest } = options;
    if (!output) return await this.#begin(input, rest, false, undefined).completed;
    let turn = this.#begin(input, rest, false, {
      strict: this.#host.late().strictOutput(output),
      repairs: repair,
    });
    for (;;) {
      try {
        return await turn.completed;
      } catch (error) {
        if (!(error instanceof RepairUnderWay)) throw error;
        turn = error.turn;
      }
    }
  }

  /** Starts a turn and returns its handle immediately. Throws `thread_busy` while another turn runs. */
  turn<S extends Schema>(input: TurnInput, options: TurnOptions & { output: S }): Turn<InferOutput<S>>;
  turn(input: TurnInput, options?: TurnOptions): Turn;
  turn(input: TurnInput, options: AnyOptions = {}): Turn<never> | Turn {
    checkOptions("thread.turn()", options, RUN_OPTIONS);
    const { output, repair, ...rest } = options;
    if (repair !== undefined) {
      throw new InvalidArgumentError(
        "repair is not supported by turn(), which returns a handle of one turn: use run()",
      );
    }
    if (!output) return this.#begin<undefined>(input, rest, true, undefined);
    return this.#begin<never>(input, rest, true, {
      strict: this.#host.late().strictOutput(output) as StrictOutput<never>,
      repairs: 0,
    });
  }

  /**
   * Sends a message, whether or not a turn is running. The result reports whether the message started a turn, joined
   * the running turn, or waits behind it.
   */
  async send(input: TurnInput, options: SendOptions): Promise<SendResult> {
    // Reject an invalid mode even if no turn is running and the mode does not matter yet.
    checkOptions("thread.send()", options, SEND_OPTIONS);
    const { mode, ...rest } = options;
    if (!this.route.busy) return { outcome: "started", turn: this.turn(input, rest) };
    if (mode === "queue") return { outcome: "queued", turn: this.#queue(input, rest, "last") };
    if (mode === "steer") return await this.#steer(input, rest);
    const turn = this.#queue(input, rest, "first");
    try {
      await this.#interruptActive();
    } catch (error) {
      // After this rejection the caller may send the message again, so the queued turn must not run as well.
      turn.giveUp(error as Error);
      throw error;
    }
    return { outcome: "started", turn };
  }

  /** Reads the thread from the server, with its turns if `includeTurns` is set. */
  async read(includeTurns = false, call?: CallOptions): Promise<WireThread> {
    is.checkArgument("thread.read()", "includeTurns", includeTurns, is.flag);
    const params = { threadId: this.id, includeTurns };
    const { thread }: ThreadReadResponse = await this.#request("thread/read", params, call);
    this.route.describe(thread);
    return thread;
  }

  async setName(name: string, call?: CallOptions): Promise<void> {
    is.checkArgument("thread.setName()", "name", name, is.text);
    await this.#request("thread/name/set", { threadId: this.id, name }, call);
  }

  async archive(call?: CallOptions): Promise<void> {
    unloaded(this.route.facts);
    await this.#request("thread/archive", { threadId: this.id }, call);
    // Servers before 0.105 do not send an event for the archiving.
    unloaded(this.route.facts, "archived");
  }

  async unarchive(call?: CallOptions): Promise<void> {
    await this.#request("thread/unarchive", { threadId: this.id }, call);
    unarchived(this.route.facts);
  }

  async delete(call?: CallOptions): Promise<void> {
    unloaded(this.route.facts);
    await this.#request("thread/delete", { threadId: this.id }, call);
    unloaded(this.route.facts, "deleted");
  }

  /** Asks the server to compact the context of the thread, which it does in a separate turn. */
  async compact(call?: CallOptions): Promise<void> {
    checkCall("thread.compact()", call);
    await this.route.load();
    await this.#request("thread/compact/start", { threadId: this.id }, call);
  }

  /** Runs a shell command for the user on the thread, outside the sandbox. The command appears as a separate turn. */
  async shellCommand(command: string, call?: CallOptions): Promise<void> {
    is.checkArgument("thread.shellCommand()", "command", command, is.text);
    checkCall("thread.shellCommand()", call);
    await this.route.load();
    await this.#request("thread/shellCommand", { threadId: this.id, command }, call);
  }

  async updateMetadata(metadata: Metadata, call?: CallOptions): Promise<void> {
    checkOptions("thread.updateMetadata()", metadata, METADATA);
    const params = { ...metadata, threadId: this.id };
    const { thread } = await this.#request("thread/metadata/update", params, call);
    this.route.describe(thread);
  }

  /**
   * Starts a realtime text conversation; resolves when it is running. Rejects with `realtime_failed` and the server's
   * reason, with `thread_busy` while the thread has a conversation, and with `unsupported` before Codex 0.125.
   */
  async realtime(options: RealtimeOptions = {}): Promise<Realtime> {
    return await this.#host.realtime(this.route, options);
  }

  /**
   * Stops the events of the thread. First stops a realtime conversation, because the server would no longer report its
   * end. Before a later turn starts, the client subscribes again, so that the server reports the end of that turn.
   */
  async unsubscribe(call?: CallOptions): Promise<ThreadUnsubscribeStatus> {
    checkCall("thread.unsubscribe()", call);
    // If there is no conversation, send the request immediately, so that a following call cannot overtake it.
    if (this.route.realtime) await this.route.realtime.stop();
    const { facts } = this.route;
    unloaded(facts);
    const { resumes } = facts;
    const { status } = await this.#request("thread/unsubscribe", { threadId: this.id }, call);
    // If a resume was sent in the meantime, the server handles the resume after this request, so the answer to the
    // resume counts.
    if (facts.resumes === resumes) unloaded(facts);
    this.#host.remember(this.route);
    return status;
  }

  /** Creates a new thread with the history of this one. */
  fork(options: ForkThreadOptions = {}): Promise<Thread> {
    return this.#fork(options);
  }

  /** Reverts turns: all from `beforeTurnId` on, or the last `numTurns`. Files are not changed. */
  async revert(target: RevertTarget): Promise<void> {
    await this.#host.late().revertThread(this.#host, this.route, target);
  }

  get #request(): ThreadHost["request"] {
    return this.#host.request;
  }

  #plan<T>(
    input: TurnInput,
    options: TurnOptions,
    observed: boolean,
    output: OutputPlan<T> | undefined,
  ): Turn<T> {
    const { limits, overrides } = splitTurnOptions(options, this.#host);
    const items = toUserInput(input);
    const outputSchema = output && { outputSchema: output.strict.jsonSchema as JsonValue };
    return new Turn<T>(this.route, {
      ...limits,
      observed,
      begin: async (sending) => {
        if (!this.route.isQuiet) await this.route.quieten();
        sending();
        const params = { ...overrides, ...outputSchema, threadId: this.id, input: items };
        const { turn } = await this.#request("turn/start", params);
        // Overrides apply to later turns too, so a later resume must send them again.
        this.route.facts.confinement = overriddenConfinement(overrides) ?? this.route.facts.confinement;
        return turn.id;
      },
      finish: (result) => (output ? this.#parsed(result, options, output) : (result as TurnResult<T>)),
    });
  }

  #begin<T>(
    input: TurnInput,
    options: TurnOptions,
    observed: boolean,
    output: OutputPlan<T> | undefined,
  ): Turn<T> {
    refuseEnded(this.id, this.route.facts);
    if (this.route.busy) throw new ThreadBusyError(this.id);
    const turn = this.#plan(input, options, observed, output);
    turn.launch();
    return turn;
  }

  async #parsed<T>(result: TurnResult, options: TurnOptions, output: OutputPlan<T>): Promise<TurnResult<T>> {
    const outcome = await output.strict.parse(result.agentMessage);
    if (outcome.ok) return { ...result, output: outcome.value };
    const error = new OutputInvalidError(result.agentMessage, outcome.issues);
    if (output.repairs <= 0) throw error;
    // Queue the repair before this turn releases the thread, so that no other turn can run in between.
    const next = { ...output, repairs: output.repairs - 1 };
    const turn = this.#plan(this.#host.late().repairPrompt(outcome.issues), options, false, next);
    this.route.enqueue(turn, "first");
    throw new RepairUnderWay(turn as Turn<unknown>, error);
  }

  #queue(input: TurnInput, options: TurnOptions, place: "first" | "last"): Turn {
    const turn = this.#plan<undefined>(input, options, true, undefined);
    this.route.enqueue(turn, place);
    return turn;
  }

  async #steer(input: TurnInput, options: TurnOptions): Promise<SendResult> {
    const running = this.route.turn as Turn | undefined;
    const activeId = this.route.fold.activeTurnId;
    try {
      if (running) {
        await running.steer(input);
        return { outcome: "steered", turn: running };
      }
      return await this.#adopt(input, options);
    } catch (error) {
      if (!(error instanceof NoActiveTurnError)) throw error;
      // The turn has ended. If its end was not reported to us yet, do not wait for the report.
      if (running) running.threadRests();
      else if (activeId !== undefined) this.route.end(activeId);
      await this.route.rest();
      return await this.send(input, { ...options, mode: "steer" });
    }
  }

  /** Steers a running turn that has no handle in this process, and creates a handle for that turn. */
  async #adopt(input: TurnInput, options: TurnOptions): Promise<SendResult> {
    const activeId = this.route.fold.activeTurnId ?? "";
    const { limits } = splitTurnOptions(options, this.#host);
    const items = toUserInput(input);
    const turn = new Turn<undefined>(this.route, {
      ...limits,
      observed: true,
      adopted: true,
      begin: () => steerTurn(this.#host, { threadId: this.id, expectedTurnId: activeId, input: items }),
      finish: (result) => result,
    });
    turn.launch();
    await turn.started;
    return { outcome: "steered", turn };
  }

  async #interruptActive(): Promise<void> {
    if (this.route.turn) return await this.route.turn.interrupt();
    const turnId = this.route.fold.activeTurnId;
    if (turnId === undefined) return;
    await this.route.interrupt(turnId).catch((error: unknown) => {
      if (!(error instanceof NoActiveTurnError)) throw error;
    });
  }
}
