import type { InferOutput, Schema } from "../../schema/index.ts";
import type { TurnUsage } from "../../client/index.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import { AgentError, PromptOutputError } from "../errors.ts";
import type { FileSystem } from "../resources/file-system.ts";
import type { StoredSession } from "../session/stored.ts";
import { checkBundleOptions, writeBundle, type BundleOptions } from "./bundle.ts";
import { Execution, type RunPlan } from "./execution.ts";
import { excerpt } from "../tools/tool-invoked.ts";
import type { AgentEvent, RunFailure } from "./events.ts";
import type { AgentAuth, RunWorkspace, WorkspaceCheckpoint } from "./options.ts";

/** The result of a run. */
export interface RunResult<out T = unknown> {
  readonly runId: string;
  /** The final answer of the model. */
  readonly text: string;
  /** The parsed answer. Undefined if the prompt has no `output`. */
  readonly output: T;
  /** Usage of the thread and its sub-agents. */
  readonly usage: TurnUsage;
  /** The thread of the final answer. */
  readonly threadId: string;
  /** The ids of all turns, in order. */
  readonly turns: readonly string[];
  /** True if the completion check still wanted the model to continue after `maxRounds`, and `atLimit` is `end`. */
  readonly limitReached: boolean;
}

/** The output type of a run, from the `output` schema of its prompt. */
export type OutputOf<O extends Schema | undefined> = O extends Schema ? InferOutput<O> : undefined;

/**
 * A run of a prompt. Iterate over it for its events, await {@link result}, or both.
 *
 * Every iterator gets all events from the start, at its own pace. (With `eventLog`, an iterator gets the kept events,
 * and the events after its first `next()`.) If the run fails, iterators throw the error that
 * `result` rejects with. Leaving the loop does not stop the run; disposing the run does.
 */
export class Run<out T = unknown> implements AsyncIterable<AgentEvent>, AsyncDisposable {
  readonly id: string;
  readonly promptId: string;
  readonly result: Promise<RunResult<T>>;
  readonly #plan: RunPlan;
  readonly #execution: Execution;
  readonly #sessionBefore: StoredSession;
  readonly #entriesBefore: number;
  #before: Promise<WorkspaceCheckpoint> | undefined;
  #after: Promise<WorkspaceCheckpoint> | undefined;
  #over = false;

  constructor(plan: RunPlan) {
    this.id = plan.runId;
    this.promptId = plan.prompt.id;
    this.#plan = plan;
    this.#execution = new Execution(plan);
    this.#sessionBefore = plan.session.toJSON();
    this.#entriesBefore = this.#sessionBefore.journal.length;
    this.result = Promise.resolve().then(async () => this.#run());
    this.result.catch(() => {}); // iterators throw it too
  }

  /** All events so far. With `eventLog`, only those that the run keeps. */
  get events(): readonly AgentEvent[] {
    return this.#execution.recorder.log.events;
  }

  /**
   * When the server last gave a sign of life for this run, in milliseconds since 1970: any message about the threads of
   * the run, including those that the run does not report as events, such as the output of a command. It is also renewed when `isHeld`
   * becomes false. Undefined before the run has a server.
   *
   * It is measured with a monotonic clock, so it does not change if the system clock is set. To get its age, use
   * `quietMs`.
   */
  get lastHeardAt(): number | undefined {
    return this.#execution.pulse.lastHeardAt;
  }

  /** How long ago `lastHeardAt` is, in milliseconds, by a monotonic clock. 0 before the run has a server. */
  get quietMs(): number {
    return this.#execution.pulse.quietMs;
  }

  /**
   * Whether the server has no reason to say anything now: it waits for the answer to a question or to a tool call, a
   * tool runs, or the run is between two turns. Its silence then means nothing.
   */
  get isHeld(): boolean {
    return this.#execution.isHeld;
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentEvent> {
    return this.#execution.recorder.log.read();
  }

  /** Steers the active turn. Rejects with `no_active_turn` if no turn is active. */
  async steer(text: string): Promise<void> {
    await this.#execution.steer(text);
  }

  /**
   * Stops the run, and resolves when it has ended. `result` rejects with `turn_interrupted`, unless the run had
   * already ended.
   */
  async interrupt(): Promise<void> {
    const { promptId } = this;
    this.#execution.stop.stop(
      new AgentError("turn_interrupted", "request", "the run was interrupted", { promptId }),
    );
    await this.result.catch(() => {});
  }

  /** Alias of `interrupt`. */
  close(): Promise<void> {
    return this.interrupt();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.interrupt();
  }

  /** Returns the changes of the run in its workspace as a patch. During the run, returns the changes so far. */
  async diff(): Promise<string> {
    const { workspace, before } = await this.#checkpointed();
    return await workspace.diff(before, await this.#after);
  }

  /** Restores the files of the workspace to their state before the run. Returns the paths of the restored files. */
  async revert(): Promise<readonly string[]> {
    const { workspace, before } = await this.#checkpointed();
    if (!this.#over)
      throw new InvalidArgumentError("the run is still active: await its result before revert()");
    return await workspace.revert(before);
  }

  /**
   * Writes a report about the run, with secrets redacted. The report contains the rendered prompt, the events, the
   * transcript, the session before and after, the diff, and the versions. To write to a folder, pass `overlayFs(dir)`
   * of `codexwright/workspace`. Returns the file names.
   */
  async bundle(files: FileSystem, options: BundleOptions = {}): Promise<readonly string[]> {
    checkBundleOptions(options);
    const { session, run } = this.#plan;
    const journal = this.#sessionBefore.journal.slice(0, this.#entriesBefore);
    return await writeBundle(
      files,
      {
        runId: this.id,
        promptId: this.promptId,
        events: this.events,
        before: { ...this.#sessionBefore, journal },
        after: session.toJSON(),
        // A bundle without a diff is still useful, especially if the workspace failed.
        diff: run.workspace && this.#before ? await this.diff().catch(() => undefined) : undefined,
        server: this.#execution.server,
        secrets: secretsOf(this.#plan.agent.auth),
      },
      options,
    );
  }

  async #checkpointed(): Promise<{ workspace: RunWorkspace; before: WorkspaceCheckpoint }> {
    const { workspace } = this.#plan.run;
    if (!workspace)
      throw new InvalidArgumentError("the run has no workspace: pass a Workspace to agent.run()");
    const before = await this.#before;
    if (!before) throw new InvalidArgumentError("the run has not taken its first checkpoint yet");
    return { workspace, before };
  }

  async #run(): Promise<RunResult<T>> {
    const { recorder } = this.#execution;
    try {
      const outcome = await this.#execution.run(async () => this.#begin());
      await this.#finish();
      const { usage } = this.#execution;
      const { text, output, limitReached } = outcome;
      const result = { text, output, ...(limitReached && { limitReached }) };
      recorder.emit({ type: "prompt.executed", usage, result });
      recorder.log.end();
      return { runId: this.id, usage, ...outcome, output: output as T };
    } catch (error) {
      await this.#finish();
      const { usage } = this.#execution;
      recorder.emit({ type: "prompt.executed", usage, error: failureOf(error as AgentError) });
      recorder.log.end(error as AgentError);
      throw error;
    }
  }

  async #begin(): Promise<void> {
    this.#before = this.#checkpoint();
    await this.#before?.catch(() => {});
  }

  async #finish(): Promise<void> {
    if (this.#before) this.#after = this.#checkpoint();
    await this.#after?.catch(() => {});
    this.#over = true;
  }

  /** A failed checkpoint rejects `diff` and `revert`. The run itself continues and only emits a warning. */
  #checkpoint(): Promise<WorkspaceCheckpoint> | undefined {
    const taken = this.#plan.run.workspace?.checkpoint();
    taken?.catch((error: unknown) =>
      this.#execution.recorder.warn(`the workspace could not take a checkpoint: ${String(error)}`),
    );
    return taken;
  }
}

/** Maximum number of issues in an event: an answer can have any number of them. */
const MOST_ISSUES = 20;

function failureOf(error: AgentError): RunFailure {
  const { code, phase, message, retryable } = error;
  if (!(error instanceof PromptOutputError)) return { code, phase, message, retryable };
  const issues = error.issues
    .slice(0, MOST_ISSUES)
    .map(({ path, message: why }) => ({ path, message: excerpt(why) }));
  return { code, phase, message, retryable, issues };
}

function secretsOf(auth: AgentAuth | undefined): string[] {
  if (!auth) return [];
  return "apiKey" in auth ? [auth.apiKey] : [auth.chatgpt.accessToken];
}
