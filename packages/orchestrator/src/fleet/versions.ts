import path from "node:path";
import { FleetError } from "../domain/errors.ts";
import type { Workflow } from "../domain/settings.ts";
import type { Tracker, TrackerKind } from "../domain/tracker.ts";
import type { JobStore } from "../jobs/port.ts";
import { observedTracker } from "../observe/observed-tracker.ts";
import type { Telemetry } from "../observe/telemetry.ts";
import { TRACKER_KINDS, trackerKind } from "../tracker/kinds.ts";
import { parseWorkflow } from "../workflow/read.ts";
import type { Roots } from "./roots.ts";
import { secretTexts, secretVariables } from "./secrets.ts";

export interface VersionsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly kinds: readonly TrackerKind[];
  readonly telemetry: Telemetry;
  readonly warn: (message: string) => void;
  /** Makes texts known that logs and events must not contain. */
  readonly learnSecrets: (secrets: readonly string[]) => void;
  readonly roots: Roots;
}

/** A workflow version, ready for runs. */
export interface Version {
  readonly workflow: Workflow;
  readonly kind: TrackerKind;
  readonly tracker: Tracker;
  readonly secretEnv: readonly string[];
}

/** The workflow versions in use. A run keeps the version that it began with, tracker included. */
export class Versions {
  readonly #options: VersionsOptions;
  readonly #versions = new Map<string, Promise<Version>>();
  /** By the settings of the tracker, which most changes of a workflow do not touch. */
  readonly #trackers = new Map<string, Promise<Tracker>>();

  constructor(options: VersionsOptions) {
    this.#options = options;
  }

  /** The adapters that `tracker.kind` can name. Those of the program come first. */
  get kinds(): readonly TrackerKind[] {
    return [...this.#options.kinds, ...TRACKER_KINDS];
  }

  /**
   * Opens the tracker of a workflow, and takes the root of its workspaces. Rejects with a `TrackerError`, with a
   * `WorkspaceError`, or with `fleet_already_runs` if that is not possible.
   */
  async of(workflow: Workflow): Promise<Version> {
    return await remembered(this.#versions, workflow.version, async () => await this.#open(workflow));
  }

  /** Reads a version from the job store. The variables are resolved on this host. */
  async stored(version: string, store: JobStore): Promise<Version> {
    const known = this.#versions.get(version);
    if (known !== undefined) return await known;
    const stored = await store.workflow(version);
    if (stored === undefined)
      throw new FleetError("database_version", `The database has no workflow of the version ${version}.`);
    const { env } = this.#options;
    return await this.of(parseWorkflow(stored.text, stored.path, { env, kinds: this.kinds }));
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#trackers.values());
    await Promise.allSettled(
      opened.map(async (each) => (each.status === "fulfilled" ? await each.value.close() : undefined)),
    );
    this.#options.roots.release();
  }

  async #open(workflow: Workflow): Promise<Version> {
    const { kinds, telemetry, warn, learnSecrets, roots } = this.#options;
    const { tracker: settings } = workflow.settings;
    const kind = trackerKind(settings.kind, kinds);
    learnSecrets(secretTexts(workflow, kind));
    const key = JSON.stringify([settings, path.dirname(workflow.path)]);
    const tracker = await remembered(this.#trackers, key, async () => {
      const { provider, activeStates, terminalStates } = settings;
      const folder = path.dirname(workflow.path);
      const opened = await kind.open({ provider, activeStates, terminalStates, folder, warn });
      return observedTracker(opened, telemetry);
    });
    await roots.take(workflow.settings);
    return { workflow, kind, tracker, secretEnv: secretVariables(workflow, kind) };
  }
}

/** A failure is not remembered. */
async function remembered<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = map.get(key);
  if (known !== undefined) return await known;
  const made = make();
  map.set(key, made);
  try {
    return await made;
  } catch (error) {
    map.delete(key);
    throw error;
  }
}
