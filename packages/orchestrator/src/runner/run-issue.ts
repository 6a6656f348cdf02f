import { mkdir } from "node:fs/promises";
import path from "node:path";
import { removeTree } from "codexwright/internal/node";
import { BudgetExceededError } from "codexwright/agent";
import { Workspace } from "codexwright/workspace";
import type { Question } from "../domain/claim.ts";
import type { Outcome, RunTotals } from "../domain/outcome.ts";
import { NO_TOKENS } from "../domain/tokens.ts";
import type { Issue } from "../domain/issue.ts";
import { standingOf } from "../policy/standing.ts";
import { renderPrompt } from "../workflow/template.ts";
import { HookError, WorkspaceError } from "../workspace/errors.ts";
import { IssueWorkspace } from "../workspace/workspace.ts";
import { Asked } from "./asked.ts";
import { RunBudget } from "./budget.ts";
import { Conversation } from "./conversation.ts";
import { whileLeased } from "./leased.ts";
import { failureOf, isUsageLimit, retryAtOf } from "./outcome.ts";
import { OverDay } from "./over-day.ts";
import type { RunControl, RunObserver, Runner, RunTask } from "./port.ts";
import { answerText, earlierText, resumption } from "./prompt.ts";
import { questionHandlers } from "./questions.ts";
import { refreshed } from "./refresh.ts";
import { cannotResume, threadKey } from "./resume.ts";
import { RunStop } from "./stop.ts";
import { readThread, writeThread } from "./stored-thread.ts";
import { makeTemporaryFolder, temporaryFolderOf } from "./temporary.ts";
import { fencedTools } from "./tools.ts";
import { limitEnds } from "./usage-limit.ts";

/** The services of the process that runs share. */
export interface RunnerOptions {
  /** Removes secrets from a text. */
  readonly clean: (text: string) => string;
  /** Receives the end of a hook's output, without secrets. */
  readonly hookOutput: (run: RunTask, hook: string, output: string) => void;
}

/** Returns the runner: it does one run of an issue, from its workspace to its outcome. */
export function issueRunner(options: RunnerOptions): Runner {
  return async (task, control, observer) => await new IssueRun(options, task, control, observer).run();
}

class IssueRun {
  readonly #options: RunnerOptions;
  readonly #task: RunTask;
  readonly #control: RunControl;
  readonly #observer: RunObserver;
  readonly #budget: RunBudget;
  /** Aborts with `Asked` or `OverDay` as its reason. */
  readonly #ending = new AbortController();
  readonly #startedAt = new Date().toISOString();
  #conversation: Conversation | undefined;
  #threadId: string | null = null;
  #workspacePath: string | null = null;
  #before: string | null = null;
  #after: string | null = null;

  constructor(options: RunnerOptions, task: RunTask, control: RunControl, observer: RunObserver) {
    this.#options = options;
    this.#task = task;
    this.#control = control;
    this.#budget = new RunBudget(task, control);
    this.#observer = observer;
  }

  async run(): Promise<{ readonly outcome: Outcome; readonly totals: RunTotals }> {
    let outcome: Outcome;
    try {
      outcome = await this.#attempt();
    } catch (error) {
      outcome = this.#outcomeOf(error);
    }
    return { outcome, totals: this.#totals() };
  }

  async #attempt(): Promise<Outcome> {
    const { claim, workflow, tracker, secretEnv } = this.#task;
    const { settings } = workflow;
    const { signal } = this.#control;
    signal.throwIfAborted();
    const issue = await refreshed(tracker, claim.issueId, signal);
    if (issue === null || standingOf(issue, settings) !== "workable") return { kind: "stale", issue };
    const spent = this.#budget.spentAtStart;
    if (spent) return spent;
    this.#observer.phase("PreparingWorkspace");
    const workspace = await IssueWorkspace.open(
      settings.workspace.root,
      {
        issue,
        hooks: settings.hooks,
        secretEnv,
        event: (event) => this.#observer.event(event),
        log: (hook, output) => this.#options.hookOutput(this.#task, hook, output),
      },
      signal,
    );
    this.#workspacePath = workspace.path;
    this.#observer.workspace(workspace.path);
    try {
      await workspace.beforeRun(signal);
      return await this.#inWorkspace(workspace, issue);
    } finally {
      this.#observer.phase("Finishing");
      await whileLeased(this.#control.lease, async (leased) => workspace.afterRun(leased));
    }
  }

  async #inWorkspace(workspace: IssueWorkspace, issue: Issue): Promise<Outcome> {
    const { stateFolder } = this.#task;
    const checkpoints = path.join(stateFolder, "checkpoints");
    const temporary = temporaryFolderOf(stateFolder);
    await mkdir(stateFolder, { recursive: true, mode: 0o700 });
    await makeTemporaryFolder(temporary);
    const files = await Workspace.at(workspace.path, { checkpoints });
    try {
      this.#before = await this.#checkpoint(files);
      this.#observer.phase("BuildingPrompt");
      const rendered = this.#render(issue, workspace);
      workspace.check();
      return await this.#talk(workspace, issue, rendered, temporary);
    } finally {
      this.#after = await this.#checkpoint(files);
      await files.close();
      await removeTree(temporary);
    }
  }

  async #talk(
    workspace: IssueWorkspace,
    issue: Issue,
    rendered: string,
    temporary: string,
  ): Promise<Outcome> {
    const { claim, workflow, tracker, stateFolder, answered } = this.#task;
    const tools = fencedTools(tracker.tools(issue), this.#control);
    const key = threadKey(workflow.settings, workspace.path, tools);
    const stored = await readThread(stateFolder);
    const start = (threadId: string | undefined): Conversation => {
      const text =
        threadId === undefined
          ? [rendered, earlierText(claim, !workspace.createdNow), answered ? answerText(answered) : ""]
          : [answered ? answerText(answered) : resumption({ ...claim, issue })];
      return new Conversation({
        task: this.#task,
        control: this.#control,
        observer: this.#observer,
        budget: this.#budget,
        handlers: questionHandlers({
          onQuestion: workflow.settings.agent.onQuestion,
          answered,
          ask: (question) => this.#ending.abort(new Asked(question)),
          clean: this.#options.clean,
          now: () => new Date(),
        }),
        tools,
        folder: workspace.path,
        temporary,
        text: text.filter((part) => part !== "").join("\n\n"),
        threadId,
        signal: AbortSignal.any([this.#control.signal, this.#ending.signal]),
        clean: this.#options.clean,
        onUsage: () => {
          if (this.#budget.isDayOver) this.#ending.abort(new OverDay());
        },
        onThread: (id) => {
          this.#threadId = id;
          this.#storing = writeThread(stateFolder, { threadId: id, key });
          this.#storing.catch(() => {}); // awaited below
        },
      });
    };
    const fitting = stored?.key === key ? stored.threadId : undefined;
    try {
      return await this.#completed(start(fitting));
    } catch (error) {
      // The server could not resume the thread, and has not begun another one.
      if (fitting === undefined || this.#threadId !== null || !cannotResume(error)) throw error;
      this.#observer.event({
        event: "warning",
        message: `the thread ${fitting} could not be resumed, so the run starts a new one`,
      });
      return await this.#completed(start(undefined));
    } finally {
      await this.#storing;
    }
  }

  #storing: Promise<void> = Promise.resolve();

  async #completed(conversation: Conversation): Promise<Outcome> {
    this.#conversation = conversation;
    const { issue } = await conversation.run();
    return { kind: "completed", issue };
  }

  #render(issue: Issue, workspace: IssueWorkspace): string {
    const { claim, workflow } = this.#task;
    return renderPrompt(workflow, {
      issue,
      attempt: claim.attempt,
      retry_kind: claim.retryKind,
      last_error: claim.lastError,
      workspace_kept: !workspace.createdNow,
    });
  }

  /** A failed checkpoint costs only `diff` and `revert` of this run. */
  async #checkpoint(files: Workspace): Promise<string | null> {
    try {
      return (await files.checkpoint()).tree;
    } catch (error) {
      const message = `the workspace could not take a checkpoint: ${error instanceof Error ? error.message : "unknown error"}`;
      this.#observer.event({ event: "warning", message: this.#options.clean(message) });
      return null;
    }
  }

  #outcomeOf(error: unknown): Outcome {
    const { clean } = this.#options;
    const { signal } = this.#control;
    if (signal.aborted) {
      const { reason } = signal as { readonly reason: unknown };
      const stop = reason instanceof RunStop ? reason : new RunStop("operator");
      if (stop.why === "stalled") {
        const message = stop.reason ?? "the app-server was silent for too long";
        return { kind: "failed", code: "stalled", message };
      }
      return { kind: "stopped", why: stop.why, by: stop.by, reason: stop.reason };
    }
    const ending: unknown = this.#ending.signal.reason;
    if (ending instanceof Asked) return this.#asked(ending.question);
    if (ending instanceof OverDay) return this.#budget.overDay();
    if (error instanceof BudgetExceededError) return this.#budget.overIssue(error.used.totalTokens);
    if (error instanceof HookError || error instanceof WorkspaceError) {
      return { kind: "failed", code: error.code, message: clean(error.message) };
    }
    const failed = failureOf(error, clean);
    const trackerWaits = retryAtOf(error);
    if (trackerWaits !== undefined) {
      return { kind: "limited", retryAt: trackerWaits, message: failed.message };
    }
    if (!isUsageLimit(error)) return failed;
    return {
      kind: "limited",
      retryAt: limitEnds(this.#conversation?.client, Date.now()),
      message: failed.message,
    };
  }

  #asked(question: Question): Outcome {
    if (this.#task.workflow.settings.agent.onQuestion === "block") return { kind: "question", question };
    const code = question.kind === "input" ? "turn_input_required" : "approval_required";
    return { kind: "failed", code, message: question.text };
  }

  #totals(): RunTotals {
    return {
      startedAt: this.#startedAt,
      endedAt: new Date().toISOString(),
      tokens: this.#conversation?.tokens ?? NO_TOKENS,
      turns: this.#conversation?.turns ?? 0,
      threadId: this.#threadId,
      workspacePath: this.#workspacePath,
      model: this.#conversation?.model ?? null,
      checkpoints: { before: this.#before, after: this.#after },
    };
  }
}
