import path from "node:path";
import { WorkflowError } from "../domain/errors.ts";
import type { Workflow } from "../domain/settings.ts";
import { trackerKind, TRACKER_KINDS } from "../tracker/kinds.ts";
import { preflight } from "../workflow/preflight.ts";
import { readWorkflow } from "../workflow/read.ts";
import { fail, ok, skipped, warn, type Finding, type FleetCheck } from "./check.ts";
import { checkCommand, checkProgram, checkRunning, checkStateFolder } from "./machine-checks.ts";
import type { FleetPlace } from "./place.ts";

type Env = Readonly<Record<string, string | undefined>>;

const TRACKER_MS = 30_000;

/** Checks everything that a fleet needs, one after the other. Starts nothing, and asks the tracker once. */
export async function* checkFleet(place: FleetPlace, env: Env): AsyncGenerator<FleetCheck, void, undefined> {
  const check = async (name: FleetCheck["name"], look: () => Promise<Finding>): Promise<FleetCheck> => ({
    name,
    ...(await attempt(look)),
  });
  yield { name: "node", ...ok(`Node ${process.versions.node}`) };
  yield await check("git", async () => await checkProgram("git", "the checkpoints of workspaces need it"));
  yield await check("bash", async () => await checkProgram("bash", "hooks and codex.command need it"));
  let workflow: Workflow | undefined;
  yield await check("workflow", async () => {
    ({ workflow } = await readWorkflow(place.workflowPath, { env, kinds: TRACKER_KINDS }));
    const { warnings } = workflow;
    return warnings.length === 0
      ? ok(place.workflowPath)
      : warn(`${place.workflowPath} has warnings`, ...warnings);
  });
  const needsWorkflow = (look: (workflow: Workflow) => Promise<Finding>) => async (): Promise<Finding> =>
    workflow === undefined ? skipped("skipped: WORKFLOW.md cannot be used") : await look(workflow);
  yield await check(
    "codex",
    needsWorkflow(async ({ settings }) => await checkCommand(settings)),
  );
  yield await check(
    "tracker",
    needsWorkflow(async (read) => await checkTracker(read)),
  );
  yield await check("labels", needsWorkflow(checkLabels));
  yield await check(
    "disk",
    needsWorkflow(async ({ settings }) => await checkDisk([settings.workspace.root, place.stateFolder])),
  );
  yield await check("state", async () => await checkStateFolder(place.stateFolder));
  yield await check("fleet", async () => await checkRunning(place.stateFolder));
}

/** A check that throws has failed. */
async function attempt(look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    const [first = "", ...rest] = (error instanceof Error ? error.message : String(error)).split("\n");
    const isMissing = error instanceof WorkflowError && error.code === "missing_workflow_file";
    return fail(first, ...rest, ...(isMissing ? ["Make one with `codexwright fleet init`."] : []));
  }
}

async function checkTracker({ path: file, settings }: Workflow): Promise<Finding> {
  const { kind, provider, activeStates, terminalStates } = settings.tracker;
  const warnings: string[] = [];
  const tracker = await trackerKind(kind).open({
    provider,
    activeStates,
    terminalStates,
    folder: path.dirname(file),
    warn: (message) => void warnings.push(message),
  });
  try {
    const issues = await tracker.byStates(activeStates, AbortSignal.timeout(TRACKER_MS));
    const found = `${kind}: ${issues.length} issues in the states ${activeStates.join(", ")}`;
    return warnings.length === 0 ? ok(found) : warn(found, ...warnings);
  } finally {
    await tracker.close();
  }
}

/** In these trackers, only people with access to the machine can write issues. */
const PRIVATE_KINDS = new Set(["folder", "memory"]);

/** Strangers can file issues in a public project, and each would start an agent. */
async function checkLabels({ settings }: Workflow): Promise<Finding> {
  const { kind, requiredLabels } = settings.tracker;
  if (requiredLabels.length > 0) return ok(`only issues with ${requiredLabels.join(", ")}`);
  if (PRIVATE_KINDS.has(kind)) return ok("not needed: only you can write issues");
  return warn(
    "every issue in an active state starts an agent",
    "If strangers can file issues, set tracker.required_labels to a label that only members can add.",
  );
}

async function checkDisk(folders: readonly string[]): Promise<Finding> {
  const verdicts = await preflight({ problem: undefined, folders });
  const disk = verdicts.find(({ rule }) => rule === "disk_space");
  return disk?.ok === false ? fail(disk.why, "Free some space: no run begins before.") : ok(disk?.why ?? "");
}
