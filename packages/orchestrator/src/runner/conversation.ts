import type { CodexClient, Tool } from "codexwright";
import { CodexAgent, definePrompt, section, type Run } from "codexwright/agent";
import type { Issue } from "../domain/issue.ts";
import { NO_TOKENS, type Tokens } from "../domain/tokens.ts";
import { standingOf } from "../policy/standing.ts";
import type { RunBudget } from "./budget.ts";
import { cleanJson } from "./clean-json.ts";
import { follow } from "./follow.ts";
import { policyOf, turnPolicyOf } from "./policy.ts";
import type { RunControl, RunObserver, RunTask } from "./port.ts";
import { continuation } from "./prompt.ts";
import type { QuestionHandlers } from "./questions.ts";
import { refreshed } from "./refresh.ts";
import { serverClient } from "./server.ts";

/** The longest name of a thread or a section, in characters. */
const LONGEST_NAME = 200;

/** Everything for the turns of a run on one thread. */
export interface ConversationPlan {
  readonly task: RunTask;
  readonly control: RunControl;
  readonly observer: RunObserver;
  readonly budget: RunBudget;
  readonly handlers: QuestionHandlers;
  readonly tools: readonly Tool[];
  /** The folder of the issue. */
  readonly folder: string;
  /** The folder for temporary files. */
  readonly temporary: string;
  /** The first input. */
  readonly text: string;
  /** The thread to resume. */
  readonly threadId: string | undefined;
  /** Aborts when the run must end, for whatever reason. */
  readonly signal: AbortSignal;
  readonly clean: (text: string) => string;
  /** Called after every model call. */
  readonly onUsage: () => void;
  /** Called when the thread is ready. */
  readonly onThread: (threadId: string) => void;
}

/** How the turns ended. */
export interface ConversationEnd {
  /** The last refresh of the issue. */
  readonly issue: Issue | null;
}

/** The turns of a run: an app-server of its own, one thread, and a look at the tracker after each turn. */
export class Conversation {
  readonly #plan: ConversationPlan;
  #client: CodexClient | undefined;
  #issue: Issue | null;
  #turns = 0;
  #tokens: Tokens = NO_TOKENS;
  #model: string | null = null;

  constructor(plan: ConversationPlan) {
    this.#plan = plan;
    this.#issue = plan.task.claim.issue;
  }

  /** The app-server's client. undefined before the server has started. */
  get client(): CodexClient | undefined {
    return this.#client;
  }

  /** The number of turns that have ended with the model's answer. */
  get turns(): number {
    return this.#turns;
  }

  /** The tokens of the thread and its sub-agents in this run. */
  get tokens(): Tokens {
    return this.#tokens;
  }

  get model(): string | null {
    return this.#model;
  }

  /** Rejects with the typed errors of the library and of the tracker. The server has ended when it settles. */
  async run(): Promise<ConversationEnd> {
    const { task, handlers, signal, budget, folder, threadId } = this.#plan;
    const { settings } = task.workflow;
    const agent = await CodexAgent.open({
      connect: async () => this.#connect(),
      ...policyOf(settings),
      ...handlers,
    });
    try {
      const run = agent.run(this.#prompt(), {
        cwd: folder,
        signal,
        threadName: oneLine(`${task.claim.issue.identifier}: ${task.claim.issue.title}`),
        silenceMs: settings.codex.turnTimeoutMs,
        deadlineMs: settings.agent.sessionLimitMs,
        ...(threadId !== undefined && { threadId }),
        ...(budget.meter && { budget: budget.meter }),
        sandboxPolicy: turnPolicyOf(settings),
        // A run can take hours. Its events are reported as they come.
        eventLog: { max: 100 },
      });
      await this.#follow(run);
      await run.result;
      return { issue: this.#issue };
    } finally {
      await agent.close();
      // Also if the server died or was still starting: no process of it may be left.
      await this.#client?.disconnect();
    }
  }

  async #connect(): Promise<CodexClient> {
    const { task, control, observer, folder, temporary } = this.#plan;
    const { settings } = task.workflow;
    observer.phase("LaunchingAgentProcess");
    const client = serverClient({
      settings,
      folder,
      temporary,
      lease: control.lease,
      secretEnv: task.secretEnv,
    });
    this.#client = client;
    await client.connect();
    observer.server({ pid: client.serverPid ?? null });
    client.rateLimits.subscribe((limits) => observer.rateLimits(cleanJson(limits, this.#plan.clean)));
    observer.phase("InitializingSession");
    return client;
  }

  #prompt() {
    const { task, tools, text } = this.#plan;
    return definePrompt({
      id: "codexwright/fleet",
      sections: [section({ key: "issue", title: oneLine(task.claim.issue.identifier), body: text, tools })],
      completion: {
        check: async ({ signal }) => this.#afterTurn(signal),
        maxRounds: task.workflow.settings.agent.maxTurns,
        atLimit: "end",
      },
    });
  }

  /** Returns the input of the next turn, or undefined to end the run. */
  async #afterTurn(signal: AbortSignal): Promise<string | undefined> {
    const { task, control } = this.#plan;
    const { settings } = task.workflow;
    this.#turns++;
    this.#issue = await refreshed(task.tracker, task.claim.issueId, signal);
    if (this.#issue === null || standingOf(this.#issue, settings) !== "workable") return undefined;
    if (control.drain.aborted) return undefined;
    return continuation(this.#issue, this.#turns + 1, settings.agent.maxTurns);
  }

  async #follow(run: Run): Promise<void> {
    const { observer, signal, clean, onUsage, onThread } = this.#plan;
    await follow(run, {
      observer,
      signal,
      clean,
      onUsage: (tokens) => {
        this.#tokens = tokens;
        onUsage();
      },
      onThread: (threadId) => {
        this.#model = this.#client?.thread(threadId).model ?? null;
        if (this.#model !== null) observer.model(this.#model);
        onThread(threadId);
      },
    });
  }
}

/** Returns the beginning of a text from the tracker, for a name: without line breaks and other control characters. */
function oneLine(text: string): string {
  const line = text.slice(0, LONGEST_NAME).replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ");
  return line.trim() === "" ? "issue" : line;
}
