import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { scopeOf, stateFolderOf } from "../domain/scope.ts";
import type { Workflow } from "../domain/settings.ts";
import { openEmbedded, openPostgres } from "../jobs/open.ts";
import type { JobStore, Scope } from "../jobs/port.ts";
import { loadRedactor, type Clean } from "../observe/clean.ts";
import { Journal } from "../observe/journal.ts";
import { FleetLog, type LogSink } from "../observe/log.ts";
import { Telemetry } from "../observe/telemetry.ts";
import { watchWorkflow } from "../workflow/watch.ts";
import type { Closers } from "./closers.ts";
import type { FleetOptions } from "./options.ts";
import { Roots } from "./roots.ts";
import { Versions } from "./versions.ts";
import { Workflows } from "./workflows.ts";

/** The parts that the tick, the worker and the HTTP API share. */
export interface Base {
  readonly scope: Scope;
  readonly stateFolder: string;
  readonly store: JobStore;
  readonly versions: Versions;
  readonly workflows: Workflows;
  readonly journal: Journal;
  readonly telemetry: Telemetry;
  readonly redact: Clean;
  /** Makes texts known that logs and events must not contain. */
  readonly learnSecrets: (secrets: readonly string[]) => void;
}

/** Opens the parts. `closers` has those that were opened, also if this rejects. */
export async function openBase(
  options: FleetOptions,
  { closers, changed }: { readonly closers: Closers; readonly changed: () => void },
): Promise<Base> {
  const env = options.env ?? process.env;
  const named = path.resolve(options.workflow ?? "WORKFLOW.md");
  // Two spellings of the path are one fleet.
  const file = await realpath(named).catch(() => named);
  const scope = scopeOf(file);
  const stateFolder = path.resolve(options.data ?? stateFolderOf(scope, env));
  const telemetry = new Telemetry(scope);

  let log: FleetLog | undefined;
  const warn = (message: string): void => log?.write("warn", "warning", message);
  const { clean: redact, learn: learnSecrets } = await loadRedactor();
  const roots = new Roots(scope, stateFolder);
  const versions = new Versions({ env, kinds: options.kinds ?? [], telemetry, warn, learnSecrets, roots });
  closers.add(async () => await versions.close());
  const watch = await watchWorkflow(file, {
    env,
    kinds: versions.kinds,
    changed,
    failed: (problem) => {
      log?.write("error", "workflow.invalid", problem.message, { outcome: "failed", reason: problem.code });
      changed();
    },
  });
  closers.add(async () => await watch.close());
  const version = await versions.of(watch.workflow);
  log = new FleetLog({
    sinks: options.log ?? [toStandardError],
    format: options.logFormat ?? "text",
    clean: redact,
  });
  for (const warning of watch.workflow.warnings) warn(`WORKFLOW.md: ${warning}`);

  await mkdir(stateFolder, { recursive: true, mode: 0o700 });
  const store = await openStore(watch.workflow, stateFolder, warn);
  closers.add(async () => await store.close());
  const journal = new Journal(store, scope, { log, clean: redact });
  closers.add(async () => await journal.flush());
  const workflows = new Workflows(version, { watch, versions, store, scope, journal, stateFolder });
  await workflows.publish();
  return { scope, stateFolder, store, versions, workflows, journal, telemetry, redact, learnSecrets };
}

async function openStore(
  { settings }: Workflow,
  stateFolder: string,
  warn: (message: string) => void,
): Promise<JobStore> {
  const { url } = settings.database;
  return url === null
    ? await openEmbedded({ folder: stateFolder, warn })
    : await openPostgres({ url, folder: stateFolder, warn });
}

const toStandardError: LogSink = (line) => void process.stderr.write(`${line}\n`);
