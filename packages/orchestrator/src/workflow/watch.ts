import { watch, type FSWatcher } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { WorkflowError } from "../domain/errors.ts";
import type { Workflow } from "../domain/settings.ts";
import { parseWorkflow, readText, readWorkflow, versionOf, type WorkflowFile } from "./read.ts";
import type { Surroundings } from "./settings.ts";

export interface WatchOptions extends Surroundings {
  /** The file is good, after a change or after a problem. */
  readonly changed?: (file: WorkflowFile) => void;
  /** The file cannot be used. The last good one stays. Called once for each content. */
  readonly failed?: (problem: WorkflowError) => void;
  /** Resolves after `ms`, or when the signal aborts. For tests. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The time between two looks at the file. Events of the file system make them earlier, but can be lost. */
const LOOK_MS = 1000;

/** A file must have the same content for so long, because an editor can be in the middle of writing it. */
const SETTLE_MS = 100;

/** A file that never settles is looked at again later, so that a tick does not wait for it. */
const MOST_SETTLING_LOOKS = 8;

/** Reads a WORKFLOW.md and follows its changes. Rejects with a `WorkflowError` if the file is not good now. */
export async function watchWorkflow(file: string, options: WatchOptions): Promise<WorkflowWatch> {
  return new WorkflowWatch(await readWorkflow(file, options), options);
}

/** The content of the file, or the reason why there is none. */
type Look = { readonly key: string } & ({ readonly text: string } | { readonly error: WorkflowError });

/** A WORKFLOW.md that is followed. The last good version stays while the file is not good. */
export class WorkflowWatch implements AsyncDisposable {
  readonly #options: WatchOptions;
  readonly #path: string;
  readonly #closing = new AbortController();
  readonly #events: FSWatcher | undefined;
  readonly #looping: Promise<void>;
  #nap = new AbortController();
  #file: WorkflowFile;
  #problem: WorkflowError | undefined;
  #seen: string;
  #looking: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(file: WorkflowFile, options: WatchOptions) {
    this.#options = options;
    this.#file = file;
    this.#path = file.workflow.path;
    this.#seen = file.workflow.version;
    this.#events = this.#subscribe();
    this.#looping = this.#loop();
  }

  /** The last good version, with its text. */
  get file(): WorkflowFile {
    return this.#file;
  }

  get workflow(): Workflow {
    return this.#file.workflow;
  }

  /** Why the file cannot be used as it is now. */
  get problem(): WorkflowError | undefined {
    return this.#problem;
  }

  /**
   * Looks at the file now. Called before each tick. Calls that arrive before the look begins share it. Rejects only with
   * an error of `changed` or `failed`.
   */
  check(): Promise<void> {
    this.#next ??= this.#looking.then(() => {
      this.#next = undefined;
      const looking = this.#look();
      this.#looking = looking.catch(() => {});
      return looking;
    });
    return this.#next;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#nap.abort();
    this.#events?.close();
    await this.#looping;
    await this.#next?.catch(() => {});
    await this.#looking;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Watches the folder, because an editor replaces the file. */
  #subscribe(): FSWatcher | undefined {
    const name = path.basename(this.#path);
    try {
      const events = watch(path.dirname(this.#path), { persistent: false }, (_, changed) => {
        if (changed === null || changed === name) this.#nap.abort();
      });
      // The folder is gone, or the system has no watches left. The looks of each second remain.
      return events.on("error", () => events.close());
    } catch {
      return undefined;
    }
  }

  async #loop(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await this.#sleep(LOOK_MS, this.#nap.signal);
      if (this.#closing.signal.aborted) return;
      this.#nap = new AbortController();
      await this.check().catch(() => {});
    }
  }

  async #look(): Promise<void> {
    const first = await this.#read();
    if (first.key === this.#seen) return;
    const look = await this.#settled(first);
    if (look === undefined || look.key === this.#seen || this.#closing.signal.aborted) return;
    this.#seen = look.key;
    this.#apply(look);
  }

  /** Returns undefined if the file keeps changing. */
  async #settled(first: Look): Promise<Look | undefined> {
    let look = first;
    for (let count = 0; count < MOST_SETTLING_LOOKS; count++) {
      await this.#sleep(SETTLE_MS, this.#closing.signal);
      const next = await this.#read();
      if (next.key === look.key) return next;
      look = next;
    }
    return undefined;
  }

  #apply(look: Look): void {
    const result = this.#parse(look);
    if (result instanceof WorkflowError) {
      this.#problem = result;
      this.#options.failed?.(result);
      return;
    }
    this.#file = result;
    this.#problem = undefined;
    this.#options.changed?.(result);
  }

  #parse(look: Look): WorkflowFile | WorkflowError {
    if ("error" in look) return look.error;
    try {
      return { workflow: parseWorkflow(look.text, this.#path, this.#options), text: look.text };
    } catch (error) {
      return asWorkflowError(error);
    }
  }

  async #read(): Promise<Look> {
    try {
      const text = await readText(this.#path);
      return { key: versionOf(text), text };
    } catch (error) {
      const problem = asWorkflowError(error);
      return { key: `${problem.code} ${problem.message}`, error: problem };
    }
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await (this.#options.sleep ?? sleep)(ms, signal);
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // It rejects if the signal aborts.
  await delay(ms, undefined, { signal, ref: false }).catch(() => {});
}

function asWorkflowError(error: unknown): WorkflowError {
  if (error instanceof WorkflowError) return error;
  return new WorkflowError("workflow_parse_error", "the file cannot be read", undefined, { cause: error });
}
