import type { Verdict } from "../domain/explanation.ts";
import type { JobStore, Scope } from "../jobs/port.ts";
import type { Journal } from "../observe/journal.ts";
import { preflight } from "../workflow/preflight.ts";
import type { WorkflowWatch } from "../workflow/watch.ts";
import type { Version, Versions } from "./versions.ts";

/** The workflow in force: the last good version of the file whose tracker and workspaces could be opened. */
export class Workflows {
  readonly #watch: WorkflowWatch;
  readonly #versions: Versions;
  readonly #store: JobStore;
  readonly #scope: Scope;
  readonly #journal: Journal;
  readonly #stateFolder: string;
  #version: Version;
  /** Why the newest version cannot be put into force, although the file is valid. */
  #refusal: string | undefined;

  constructor(
    version: Version,
    options: {
      readonly watch: WorkflowWatch;
      readonly versions: Versions;
      readonly store: JobStore;
      readonly scope: Scope;
      readonly journal: Journal;
      readonly stateFolder: string;
    },
  ) {
    this.#version = version;
    this.#watch = options.watch;
    this.#versions = options.versions;
    this.#store = options.store;
    this.#scope = options.scope;
    this.#journal = options.journal;
    this.#stateFolder = options.stateFolder;
  }

  get version(): Version {
    return this.#version;
  }

  /** Why the file as it is now is not in force. */
  get problem(): string | null {
    return this.#watch.problem?.message ?? this.#refusal ?? null;
  }

  /** Stores the version in force, so that new runs use it. */
  async publish(): Promise<void> {
    const { workflow, text } = this.#watch.file;
    await this.#store.putScope(this.#scope, { version: workflow.version, path: workflow.path, text });
  }

  /** Takes a new version into force. Then checks whether runs can begin. */
  async check(): Promise<readonly Verdict[]> {
    await this.#watch.check();
    await this.#follow();
    const { root } = this.#version.workflow.settings.workspace;
    const verdicts = await preflight({
      problem: this.#watch.problem,
      folders: [root, this.#stateFolder],
    });
    const why = this.#refusal ?? "The tracker and the workspaces of WORKFLOW.md are open.";
    return [...verdicts, { rule: "workflow_open", ok: this.#refusal === undefined, why }];
  }

  async #follow(): Promise<void> {
    const { workflow } = this.#watch;
    if (workflow.version === this.#version.workflow.version) {
      this.#refusal = undefined;
      return;
    }
    const next = await this.#open();
    if (next === undefined) return;
    await this.publish();
    this.#version = next;
    for (const warning of workflow.warnings)
      this.#journal.record({ event: "warning", message: `WORKFLOW.md: ${warning}` });
    this.#journal.record({
      event: "workflow.changed",
      message: "the new WORKFLOW.md is in force",
      data: { outcome: "completed", version: workflow.version },
    });
  }

  async #open(): Promise<Version | undefined> {
    try {
      const next = await this.#versions.of(this.#watch.workflow);
      this.#refusal = undefined;
      return next;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const isNew = this.#refusal === undefined;
      this.#refusal = `The new WORKFLOW.md cannot be put into force: ${reason}`;
      if (isNew)
        this.#journal.record({
          event: "workflow.invalid",
          message: this.#refusal,
          data: { outcome: "failed", reason },
        });
      return undefined;
    }
  }
}
