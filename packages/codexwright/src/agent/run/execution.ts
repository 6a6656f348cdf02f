import {
  NoActiveTurnError,
  UnsupportedError,
  usageSince,
  type Thread,
  type TurnRetryingError,
  type TurnUsage,
} from "../../client/index.ts";
import { messageOf } from "../../schema/schema.ts";

import type { ThreadItem } from "../../protocol/index.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import { offAbort, onAbort } from "../../rpc/on-abort.ts";
import { GRACE_MS, settledWithin, systemClock, type Clock } from "../clock.ts";
import { AgentError, ExpansionRequiredError } from "../errors.ts";
import { toAgentError } from "../from-client.ts";
import { BudgetMeter, Deadline } from "../limits.ts";
import type { Prompt, RenderedPrompt } from "../prompt/prompt.ts";
import { Files, type FileSystem } from "../resources/file-system.ts";
import { provide, type Provider } from "../resources/resource.ts";
import { Resources } from "../resources/resources.ts";
import { SetVisibility } from "../session/built-in.ts";
import type { RunSession } from "../tools/run-session.ts";
import { ToolRunner } from "../tools/tool-runner.ts";
import type { ToolRecord } from "../tools/policy.ts";
import { Activity } from "./activity.ts";
import { answererOf } from "./answers.ts";
import type { Connections, Lease, ServerLink } from "./connections.ts";
import { Conversation, type ConversationEnd } from "./conversation.ts";
import { NO_USAGE, sumOf, ThreadFamily } from "./family.ts";
import { folderIn } from "./folder.ts";
import { folderOf, openThread, type OpenedThread } from "./open-thread.ts";
import { checkFolder, type AgentOptions, type RunSettings } from "./options.ts";
import { Pulse } from "./pulse.ts";
import { RunRecorder, type EventPlace } from "./recorder.ts";
import { renderedTools } from "./rendered-tools.ts";
import { Stop } from "./stop.ts";
import { ThreadEvents } from "./thread-events.ts";
import { filesOf } from "./workspace-files.ts";

/** The parts of a run. */
export interface RunPlan {
  readonly runId: string;
  readonly prompt: Prompt;
  readonly input: unknown;
  readonly agent: AgentOptions;
  readonly run: RunSettings;
  readonly session: RunSession;
  readonly connections: Connections;
}

/** The result of a run. */
export type Outcome = Pick<ConversationEnd, "text" | "output" | "threadId" | "turns" | "limitReached">;

/** How often the prompt is rendered again after an expansion before the run fails. */
const MOST_ROUNDS = 10;

/** One run of a prompt, from input to result. */
export class Execution {
  readonly recorder: RunRecorder;
  readonly stop: Stop;
  readonly #plan: RunPlan;
  readonly #clock: Clock;
  readonly #pulse: Pulse;
  readonly #activity: Activity;
  readonly #deadline: Deadline | undefined;
  readonly #meter: BudgetMeter | undefined;
  readonly #resources: Resources;
  readonly #events: ThreadEvents;
  readonly #rounded = { count: 0 };
  readonly #history: ToolRecord[] = [];
  readonly #turns: string[] = [];
  readonly #used = new Map<string, TurnUsage>();
  #usage: TurnUsage = NO_USAGE;
  #lease: Lease | undefined;
  #conversation: Conversation | undefined;
  #server: Execution["server"];
  #isOver = false;

  /** Throws `invalid_argument` for invalid options. */
  constructor(plan: RunPlan) {
    const { runId, prompt, agent, run, session } = plan;
    const { budget, deadlineMs } = run;
    this.#plan = plan;
    this.#clock = agent.clock ?? systemClock;
    this.#pulse = new Pulse(this.#clock);
    this.#activity = new Activity(this.#pulse);
    this.#deadline = deadlineMs === undefined ? undefined : new Deadline(deadlineMs, this.#clock);
    this.#meter = budget && !(budget instanceof BudgetMeter) ? new BudgetMeter(budget) : budget;
    this.recorder = new RunRecorder(runId, prompt.id, session, this.#clock, run.eventLog?.max);
    this.#events = new ThreadEvents(this.recorder, this.#clock, this.#activity);
    const onError = (message: string, error: unknown): void =>
      this.recorder.warn(`${message}: ${messageOf(error)}`);
    this.#resources = new Resources(providersOf(prompt, run), { onError });
    const trouble = (): TurnRetryingError | undefined => this.#conversation?.retrying;
    this.stop = new Stop(prompt.id, this.#clock, this.#deadline, run.signal, this.#activity, trouble);
    const { caller } = session;
    if (caller?.failed.aborted) this.#onCallFailed();
    else onAbort(caller?.failed, this.#onCallFailed);
  }

  /** Usage of the thread and its sub-agents so far. */
  get usage(): TurnUsage {
    return this.#usage;
  }

  /** Server information from the handshake. Undefined until the run has a connection. */
  get server(): { readonly userAgent: string; readonly version: string } | undefined {
    return this.#server;
  }

  /** When the server was last heard. */
  get pulse(): Pick<Pulse, "lastHeardAt" | "quietMs"> {
    return this.#pulse;
  }

  /** Whether the server has no reason to say anything now. */
  get isHeld(): boolean {
    return this.#isOver || this.#pulse.isHeld || (this.#conversation?.isHeld ?? false);
  }

  async run(before: () => Promise<void>): Promise<Outcome> {
    try {
      this.stop.throwIfStopped();
      const spent = this.#meter?.exceeded(this.#plan.prompt.id);
      if (spent) throw spent;
      return await this.#rounds(before);
    } catch (error) {
      const { id } = this.#plan.prompt;
      const { phase = "request" } = this.#conversation ?? {};
      throw this.stop.reason ?? toAgentError(error, phase, id, this.#lease?.link.client.stderrTail);
    } finally {
      this.#isOver = true;
      await this.#disposeOfResources();
      offAbort(this.#plan.session.caller?.failed, this.#onCallFailed);
      this.stop[Symbol.dispose]();
      await this.#lease?.release();
    }
  }

  /**
   * Stops this run because the tool call that it is part of has failed. The changes of the run are rolled back with
   * that call.
   */
  readonly #onCallFailed = (): void => {
    const { prompt, session } = this.#plan;
    const message = `${session.caller?.name ?? "the call"}, which the run is part of, has failed`;
    this.stop.stop(new AgentError("aborted", "request", message, { promptId: prompt.id }));
  };

  /**
   * Disposes the resources. If the run was stopped, waits only for the grace period, so that a hanging resource cannot
   * block the run forever.
   */
  async #disposeOfResources(): Promise<void> {
    this.#activity.at("the disposal of resources");
    const disposed = this.#resources[Symbol.asyncDispose]();
    try {
      await this.stop.guard(disposed);
    } catch {
      const inTime = await settledWithin(disposed, GRACE_MS, this.#clock);
      if (!inTime) this.recorder.warn(`resources were not disposed within ${GRACE_MS} ms`);
    }
  }

  /** Steers the active turn. */
  async steer(text: string): Promise<void> {
    if (!this.#conversation) throw new NoActiveTurnError("the run has no active turn");
    await this.#conversation.steer(text);
  }

  async #rounds(before: () => Promise<void>): Promise<Outcome> {
    const { prompt, run } = this.#plan;
    for (let round = 0; ; round++) {
      const rendered = this.#render();
      if (round === 0) {
        this.#activity.at("the connection to the server");
        this.#lease = await this.#timely(this.#plan.connections.lease(), async (late) => late.release());
        this.#server = this.#lease.link.client.server;
        this.#pulse.heard();
        this.#activity.at("the first checkpoint of the workspace");
        await this.#pulse.hold(async () => this.stop.guard(before()));
      }
      const outcome = await this.#onThread((this.#lease as Lease).link, rendered, round);
      this.#turns.push(...outcome.turns);
      if (!outcome.expansion) return { ...outcome, turns: this.#turns };
      const details = { promptId: prompt.id };
      if (run.expansion === "throw") throw new ExpansionRequiredError(outcome.expansion, details);
      if (round === MOST_ROUNDS) {
        throw new AgentError(
          "expansion_required",
          "request",
          `the model asked to expand sections more than ${MOST_ROUNDS} times`,
          details,
        );
      }
      this.recorder.emit({ type: "prompt.expanded", request: outcome.expansion });
      const sections = Object.fromEntries(outcome.expansion.sections.map((path) => [path, "full"] as const));
      const { session, runId } = this.#plan;
      session.tagged({ runId }).dispatch(SetVisibility({ promptId: prompt.id, sections }));
      this.recorder.place = {};
    }
  }

  /**
   * Awaits a promise unless the run is stopped first. If the promise resolves after the stop, its result is passed to
   * `giveBack`.
   */
  async #timely<T>(coming: Promise<T>, giveBack: (late: T) => unknown): Promise<T> {
    try {
      return await this.stop.guard(coming);
    } catch (error) {
      coming.then(giveBack, () => {});
      throw error;
    }
  }

  #render(): RenderedPrompt {
    const { prompt, input, session } = this.#plan;
    const rendered = prompt.render(input, { session });
    const { text, outline } = rendered;
    for (const folder of rendered.skills) checkFolder("each skill folder", folder);
    this.recorder.emit({ type: "prompt.rendered", text, outline, tools: renderedTools(rendered) });
    return rendered;
  }

  async #onThread(link: ServerLink, rendered: RenderedPrompt, round: number): Promise<ConversationEnd> {
    const { agent, run, session, prompt, runId } = this.#plan;
    const { signal } = this.stop;
    this.#conversation = undefined;
    this.#activity.at("the start of the thread");
    const folder = folderOf(agent, run);
    if (folder !== undefined && round === 0) await this.stop.guard(mustExist(link, folder));
    await this.stop.guard(link.addSkillRoots(rendered.skills, signal));
    const opening = openThread(link, { agent, run, session, rendered, runId, promptId: prompt.id, signal });
    const letGo = ({ thread: late }: OpenedThread): void => link.letGo(late.id);
    const { thread, reused, reason } = await this.#timely(opening, letGo);
    this.#pulse.heard();
    this.recorder.place = { threadId: thread.id };
    this.recorder.emit({ type: "thread.started", reused, ...(reason !== undefined && { reason }) });
    if (run.threadName !== undefined) await this.#name(thread, run.threadName);
    const runner = this.#runner(rendered);
    const asked = answererOf({
      agent,
      runner,
      recorder: this.recorder,
      signal,
      onExpansion: async () => this.#conversation?.interrupt(),
      promptId: prompt.id,
      clock: this.#clock,
      fail: (error) => this.stop.stop(error),
      itemOf: (turnId, itemId) => itemOf(thread, turnId, itemId),
      acceptsUnasked: (threadId) => link.client.acceptsUnasked(threadId),
    });
    const answerer = this.#activity.watching(asked);
    const conversation = new Conversation(
      {
        ...this.#plan,
        stop: this.stop,
        recorder: this.recorder,
        clock: this.#clock,
        activity: this.#activity,
        pulse: this.#pulse,
        rounds: this.#rounded,
      },
      link.client,
      thread,
      runner,
    );
    this.#conversation = conversation;
    const hangUp = link.router.connect(thread.id, answerer);
    const family = new ThreadFamily(link.client, {
      heard: () => this.#pulse.heard(),
      used: (usage, at) => this.#count(usage, at),
      event: (event) => this.#events.take(event),
      joined: (threadId) => link.router.connect(threadId, answerer),
      crowded: (most) =>
        this.recorder.warn(`more than ${most} sub-agents: the tokens of further sub-agents are not counted`),
    });
    family.addOwn(thread);
    const stopAgents = (): void => void family.stopAgents(thread.id);
    signal.addEventListener("abort", stopAgents, { once: true });
    try {
      const text = reused ? (run.resumeText?.(rendered) ?? rendered.text) : rendered.text;
      return await conversation.run(text);
    } finally {
      signal.removeEventListener("abort", stopAgents);
      await family.stopAgents(thread.id);
      await runner.settled();
      family.leave();
      hangUp();
      // The run no longer needs events of the thread. A later run that resumes the thread subscribes again.
      thread.unsubscribe().catch(() => {});
      link.letGo(thread.id);
    }
  }

  /** The name is only for people, so a run does not fail without it. */
  async #name(thread: Thread, name: string): Promise<void> {
    const { signal } = this.stop;
    await thread
      .setName(name, { signal })
      .catch((error: unknown) => this.recorder.warn(`the thread could not be named: ${messageOf(error)}`));
  }

  #runner({ tools, policies }: RenderedPrompt): ToolRunner {
    const { runId, session, prompt } = this.#plan;
    return new ToolRunner({
      tools,
      policies,
      session,
      runId,
      resources: this.#resources,
      afterTool: prompt.afterTool,
      deadline: this.#deadline,
      budget: this.#meter,
      history: this.#history,
      clock: this.#clock,
      onWarning: (message, error) =>
        this.recorder.warn(error === undefined ? message : `${message}: ${messageOf(error)}`),
      onLog: (name, message, data) =>
        this.recorder.emit({ type: "tool.log", name, message, ...(data !== undefined && { data }) }),
    });
  }

  #count(usage: TurnUsage, at: EventPlace & { readonly threadId: string }): void {
    this.#used.set(at.threadId, usage);
    const total = sumOf(this.#used.values());
    const delta = usageSince(total, this.#usage);
    this.#usage = total;
    this.recorder.emit({ type: "usage", delta, total }, at);
    this.#meter?.record(`${this.#plan.runId} ${at.threadId}`, usage);
    const exceeded = this.#meter?.exceeded(this.#plan.prompt.id);
    if (exceeded) this.stop.stop(exceeded);
  }
}

/** In order of precedence: providers of the run, providers of the prompt, the files of the workspace. */
function providersOf(prompt: Prompt, { workspace, resources = [] }: RunSettings): readonly Provider[] {
  const files = workspace?.files ? [provide(Files, () => filesOf(workspace) as FileSystem)] : [];
  return over(resources, over(prompt.resources, files));
}

/** Merges two lists of providers. If both have a provider for a resource, the provider in `first` is used. */
function over(first: readonly Provider[], others: readonly Provider[]): readonly Provider[] {
  const own = new Set(first.map(({ resource }) => resource));
  return [...others.filter(({ resource }) => !own.has(resource)), ...first];
}

function itemOf(thread: Thread, turnId: string, itemId: string): ThreadItem | undefined {
  const turn = thread.state.turns.find(({ id }) => id === turnId);
  return turn?.items.find(({ item }) => item.id === itemId)?.item;
}

/** Checks that the folder exists. The server would accept a missing folder, and then every command would fail. */
async function mustExist(link: ServerLink, folder: string): Promise<void> {
  const exists = folderIn(link.client, "/", undefined);
  try {
    if (await exists(folder)) return;
  } catch (error) {
    if (error instanceof UnsupportedError) return; // the server has no `fs` methods
    throw error;
  }
  throw new InvalidArgumentError(
    `the folder ${JSON.stringify(folder)} does not exist: cwd or workspace must name an existing folder`,
  );
}
