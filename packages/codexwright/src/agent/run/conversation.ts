import {
  NoActiveTurnError,
  TurnInterruptedError,
  type CodexClient,
  type Thread,
  type Turn,
  type TurnRetryingError,
} from "../../client/index.ts";
import { jsonSchema } from "../../schema/json-schema.ts";
import { OutputInvalidError } from "../../schema/output-invalid.ts";
import { messageOf } from "../../schema/schema.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import * as is from "../../rpc/options/check.ts";
import { repairPrompt } from "../../schema/output.ts";
import type { Clock } from "../clock.ts";
import { AgentError } from "../errors.ts";
import { toAgentError } from "../from-client.ts";
import type { AgentPhase } from "../phase.ts";
import type { Completion } from "../prompt/completion.ts";
import type { ExpansionRequest } from "../prompt/expansion.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { RunSession } from "../tools/run-session.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";
import type { Activity } from "./activity.ts";
import type { AgentEventBody } from "./events.ts";
import { folderIn } from "./folder.ts";
import type { AgentOptions, RunSettings } from "./options.ts";
import type { Pulse } from "./pulse.ts";
import type { RunRecorder } from "./recorder.ts";
import type { Stop } from "./stop.ts";

/** Dependencies of the turns of a run. */
export interface ConversationPlan {
  readonly prompt: Prompt;
  readonly agent: AgentOptions;
  readonly run: RunSettings;
  readonly session: RunSession;
  readonly stop: Stop;
  readonly recorder: RunRecorder;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly pulse: Pulse;
  /** The rounds of the whole run so far. A run whose sections are opened continues in another conversation. */
  readonly rounds: { count: number };
}

/** Result of a conversation: an answer, or a request to expand sections. */
export interface ConversationEnd {
  readonly text: string;
  readonly output: unknown;
  readonly threadId: string;
  readonly turns: readonly string[];
  /** Whether the completion check still wanted the model to continue when its limit was reached. */
  readonly limitReached: boolean;
  readonly expansion?: ExpansionRequest;
}

/** The turns of a run on one thread. */
export class Conversation {
  /** `request` until the server has started the first turn, then `response`. */
  phase: AgentPhase = "request";
  readonly #plan: ConversationPlan;
  readonly #client: CodexClient;
  readonly #thread: Thread;
  readonly #runner: ToolRunner;
  readonly #turns: string[] = [];
  #turn: Turn | undefined;
  #limitReached = false;

  constructor(plan: ConversationPlan, client: CodexClient, thread: Thread, runner: ToolRunner) {
    this.#plan = plan;
    this.#client = client;
    this.#thread = thread;
    this.#runner = runner;
  }

  /** If the server is retrying: the error that made it retry. */
  get retrying(): TurnRetryingError | undefined {
    return this.#thread.retrying;
  }

  /** Whether a tool or a question holds the silence clock of the running turn. */
  get isHeld(): boolean {
    return this.#turn?.isHeld ?? false;
  }

  async steer(text: string): Promise<void> {
    if (!this.#turn) throw new NoActiveTurnError("the run has no active turn");
    await this.#turn.steer(text);
  }

  async interrupt(): Promise<void> {
    await this.#turn?.interrupt().catch(() => {});
  }

  /** Runs turns on one thread until the completion check passes and the answer is valid. */
  async run(first: string): Promise<ConversationEnd> {
    const { completion, answer } = this.#plan.prompt;
    let input = first;
    let repairs = this.#plan.run.repair ?? 0;
    for (;;) {
      const text = await this.#retried(async () => this.#turnWith(input));
      const { expansion } = this.#runner;
      if (expansion) return this.#end(text, undefined, expansion);
      const feedback = completion && (await this.#feedback(completion, text));
      if (feedback !== undefined) {
        input = feedback;
        this.#plan.recorder.emit({ type: "prompt.continued", reason: "completion", feedback });
        continue;
      }
      this.#plan.activity.at("the validation of the answer");
      const output = answer
        ? await this.#plan.stop.guard(answer.parse(text))
        : { ok: true as const, value: undefined };
      if (output.ok) return this.#end(text, output.value);
      if (repairs-- <= 0) throw new OutputInvalidError(text, output.issues);
      input = repairPrompt(output.issues);
      this.#plan.recorder.emit({ type: "prompt.continued", reason: "output", feedback: input });
    }
  }

  /** Runs a turn. If the turn fails with a retryable error and had no effects, runs it again. */
  async #retried(turn: () => Promise<string>): Promise<string> {
    const { attempts = 0, baseMs = 500, maxMs = 8000 } = this.#plan.run.retry ?? {};
    for (let attempt = 1; ; attempt++) {
      let hasEffects = false;
      this.#plan.recorder.observer = (event) => (hasEffects ||= isEffect(event, this.#runner));
      const turns = this.#turns.length;
      try {
        return await turn();
      } catch (error) {
        const { retryable, message } = toAgentError(error, "response", this.#plan.prompt.id);
        const done = hasEffects || this.#hadAgents(this.#turns.slice(turns));
        if (attempt > attempts || !retryable || this.#plan.stop.reason || done) throw error;
        this.#plan.recorder.emit({ type: "retrying", attempt, message });
        await this.#wait(Math.min(maxMs, baseMs * 2 ** (attempt - 1)));
      } finally {
        this.#plan.recorder.observer = undefined;
      }
    }
  }

  /**
   * True if one of the turns used sub-agents. The tool calls of sub-agents are not reported, so they may have had
   * effects.
   */
  #hadAgents(turns: readonly string[]): boolean {
    return this.#thread.state.turns.some(
      ({ id, items }) => turns.includes(id) && items.some(({ item }) => item.type === "collabAgentToolCall"),
    );
  }

  async #wait(ms: number): Promise<void> {
    let cancel = (): void => {};
    this.#plan.activity.at("the wait before another attempt");
    try {
      const { clock, stop, pulse } = this.#plan;
      await pulse.hold(async () =>
        stop.guard(new Promise<void>((resolve) => (cancel = clock.after(ms, resolve)))),
      );
    } finally {
      cancel();
    }
  }

  /** Runs one turn and returns its final answer. */
  async #turnWith(input: string): Promise<string> {
    const { agent, run, prompt } = this.#plan;
    const settings = {
      signal: this.#plan.stop.signal,
      silenceMs: run.silenceMs,
      sandboxPolicy: run.sandboxPolicy,
      effort: run.effort ?? agent.effort,
      summary: run.summary ?? agent.summary,
      personality: run.personality ?? agent.personality,
    };
    // This only sends the schema. The answer itself is validated after the completion check.
    const output = prompt.answer && jsonSchema(prompt.answer.jsonSchema, (value) => value);
    this.#plan.stop.throwIfStopped();
    this.#plan.activity.at("the turn of the model");
    const thread = this.#thread;
    const turn = (
      output ? thread.turn(input, { ...settings, output }) : thread.turn(input, settings)
    ) as Turn;
    this.#turn = turn;
    try {
      await turn.started;
      this.#turns.push(turn.id);
      this.phase = "response";
      return (await turn.completed).agentMessage;
    } catch (error) {
      if (error instanceof OutputInvalidError) return error.raw;
      if (this.#runner.expansion && error instanceof TurnInterruptedError && !this.#plan.stop.reason)
        return "";
      throw error;
    } finally {
      this.#turn = undefined;
    }
  }

  /** Returns the text with which the model is asked to continue, or undefined if the turns are over. */
  async #feedback(completion: Completion, text: string): Promise<string | undefined> {
    const { prompt, rounds } = this.#plan;
    const { maxRounds, atLimit } = completion;
    const round = rounds.count + 1;
    const feedback = await this.#check(completion, text, round);
    this.#limitReached = feedback !== undefined && round >= maxRounds;
    // A turn that only repairs the answer belongs to the round before it.
    if (feedback !== undefined && !this.#limitReached) rounds.count = round;
    if (!this.#limitReached) return feedback;
    if (atLimit === "end") return undefined;
    const message = `the work is still incomplete after ${round} turns: ${feedback}`;
    throw new AgentError("incomplete", "response", message, { promptId: prompt.id });
  }

  async #check({ check }: Completion, text: string, round: number): Promise<string | undefined> {
    const { session, stop, pulse, activity, prompt } = this.#plan;
    const { signal } = stop;
    activity.at("the completion check");
    const exists = folderIn(this.#client, this.#thread.cwd ?? "/", signal);
    const checked = async (): Promise<string | undefined> => {
      try {
        const feedback: unknown = await check({ session, text, exists, round, signal });
        if (feedback === undefined || is.nonEmptyText.fits(feedback)) return feedback as string | undefined;
        throw new InvalidArgumentError(
          "a completion check must return undefined or a text that is not empty",
        );
      } catch (cause) {
        const message = `the completion check failed: ${messageOf(cause)}`;
        throw new AgentError("completion_failed", "response", message, { promptId: prompt.id, cause });
      }
    };
    return await pulse.hold(async () => stop.guard(checked()));
  }

  #end(text: string, output: unknown, expansion?: ExpansionRequest): ConversationEnd {
    return {
      text,
      output,
      threadId: this.#thread.id,
      turns: this.#turns,
      limitReached: this.#limitReached,
      ...(expansion && { expansion }),
    };
  }
}

/** True if a tool starts that must not run twice. */
function isEffect(event: AgentEventBody, runner: ToolRunner): boolean {
  return (
    event.type === "tool.started" &&
    event.origin !== "webSearch" &&
    !(event.origin === "app" && runner.isReadonly(event.name))
  );
}
