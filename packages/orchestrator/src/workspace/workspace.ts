import { lstatSync } from "node:fs";
import type { NewFleetEvent } from "../domain/events.ts";
import type { Settings } from "../domain/settings.ts";
import { HookError, type HookName, WorkspaceError } from "./errors.ts";
import {
  checkFolder,
  discard,
  isUnfinished,
  markFinished,
  openFolder,
  recordedFolder,
  type WorkspaceFolder,
} from "./folder.ts";
import { runHook } from "./hook.ts";
import { hookEnv, type HookIssue, secretValues } from "./hook-env.ts";

export interface WorkspaceOptions {
  readonly issue: HookIssue;
  readonly hooks: Settings["hooks"];
  /** Names of variables that hooks must not inherit. */
  readonly secretEnv: readonly string[];
  /** Receives the start and the end of each hook, without output. */
  readonly event?: (event: NewFleetEvent) => void;
  /** Receives lines for the log: the end of a hook's output, without secrets. */
  readonly log?: (hook: HookName, output: string) => void;
}

/** The folder of an issue, with the hooks of its workflow. Nothing is held open, so there is nothing to close. */
export class IssueWorkspace {
  readonly path: string;
  readonly key: string;
  /** Whether this call created the folder. */
  readonly createdNow: boolean;
  readonly #folder: WorkspaceFolder;
  readonly #options: WorkspaceOptions;

  private constructor(folder: WorkspaceFolder, createdNow: boolean, options: WorkspaceOptions) {
    this.path = folder.path;
    this.key = folder.key;
    this.createdNow = createdNow;
    this.#folder = folder;
    this.#options = options;
  }

  /**
   * Creates the folder of an issue, or finds it. For a new folder, runs `after_create`; if that fails, removes the
   * folder again and rejects.
   */
  static async open(root: string, options: WorkspaceOptions, signal: AbortSignal): Promise<IssueWorkspace> {
    signal.throwIfAborted();
    const script = options.hooks.afterCreate;
    const folder = await openFolder(root, options.issue.identifier, script === null);
    const workspace = new IssueWorkspace(folder, folder.createdNow, options);
    if (!folder.createdNow || script === null) return workspace;
    try {
      await workspace.#run("after_create", script, signal);
      workspace.check();
      markFinished(folder);
    } catch (error) {
      await discard(folder);
      throw error;
    }
    return workspace;
  }

  /**
   * Returns the workspace of an earlier run by its recorded path, or undefined if it does not exist any more. Rejects
   * if the path cannot be the workspace of this issue.
   */
  static at(recorded: string, options: WorkspaceOptions): IssueWorkspace | undefined {
    const folder = recordedFolder(recorded, options.issue.identifier);
    if (!lstatSync(folder.path, { throwIfNoEntry: false })) return undefined;
    return new IssueWorkspace(folder, false, options);
  }

  /** Throws if the folder is missing or is not inside of the root any more. Call it before something starts in it. */
  check(): void {
    checkFolder(this.#folder);
  }

  /** Runs `before_run`. Rejects if it fails. */
  async beforeRun(signal: AbortSignal): Promise<void> {
    this.check();
    await this.#run("before_run", this.#options.hooks.beforeRun, signal);
    // The hook may have replaced the folder.
    this.check();
  }

  /** Runs `after_run`. A failure is only reported. Never rejects. */
  async afterRun(signal: AbortSignal): Promise<void> {
    await this.#runIgnoringFailure("after_run", this.#options.hooks.afterRun, signal);
  }

  /**
   * Runs `before_remove`, whose failure is only reported, and removes the folder. Rejects if it cannot be removed. A
   * folder that is not whole is removed without the hook, which could take missing files for deleted ones.
   */
  async remove(signal: AbortSignal): Promise<void> {
    this.check();
    if (!isUnfinished(this.#folder))
      await this.#runIgnoringFailure("before_remove", this.#options.hooks.beforeRemove, signal);
    signal.throwIfAborted();
    // The hook may have removed the folder.
    if (!lstatSync(this.path, { throwIfNoEntry: false })) return;
    this.check();
    await discard(this.#folder);
    this.#options.event?.({ event: "workspace.removed", message: `removed the workspace ${this.key}` });
  }

  async #runIgnoringFailure(name: HookName, script: string | null, signal: AbortSignal): Promise<void> {
    try {
      await this.#run(name, script, signal);
    } catch (error) {
      // A failed hook is reported by its events. Anything else is a problem of the folder.
      if (error instanceof HookError || signal.aborted) return;
      const problem = error instanceof WorkspaceError ? error.message : "an unexpected error";
      this.#options.event?.({ event: "warning", message: `the hook ${name} was not run: ${problem}` });
    }
  }

  async #run(name: HookName, script: string | null, signal: AbortSignal): Promise<void> {
    if (script === null) return;
    const { event, hooks, issue, log, secretEnv } = this.#options;
    const started = performance.now();
    const ended = (outcome: string, output = ""): void => {
      const ms = Math.round(performance.now() - started);
      event?.({
        event: "hook.ended",
        message: `the hook ${name} ended: ${outcome}`,
        data: { hook: name, outcome, ms },
      });
      if (output !== "") log?.(name, output);
    };
    event?.({ event: "hook.started", message: `the hook ${name} starts`, data: { hook: name } });
    try {
      const output = await runHook(
        {
          name,
          script,
          folder: this.#folder,
          timeoutMs: hooks.timeoutMs,
          env: hookEnv(process.env, issue, this.path, secretEnv),
          secrets: secretValues(process.env, secretEnv),
        },
        signal,
      );
      ended("ok", output);
    } catch (error) {
      if (error instanceof HookError) ended(error.code, error.output);
      else ended(signal.aborted ? "aborted" : "not_started");
      throw error;
    }
  }
}
