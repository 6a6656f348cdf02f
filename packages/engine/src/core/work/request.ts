import { contextParts } from "../context/environment.ts";
import { promptOf } from "../context/prompt.ts";
import { contextUpdates } from "../context/updates.ts";
import { BASE_INSTRUCTIONS } from "../instructions/base.ts";
import type { ModelRequest } from "../ports.ts";
import { refreshInstructions } from "../threads/instructions.ts";
import { windowLimits } from "../turn/context-window.ts";
import { flatNameOf, toolSpecs } from "../tools/specs.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";

/** The next request to the model. Default: the whole conversation, with the tools of the turn. */
export function requestOf(
  run: TurnRun,
  conversation: readonly WireObject[] = run.thread.record.history,
  { tools = true }: { readonly tools?: boolean } = {},
): ModelRequest {
  const { record, host } = run.thread;
  const { provider } = host;
  const { settings } = run;
  const schema = tools ? run.outputSchema : undefined;
  return {
    model: settings.model,
    instructions: instructionsOf(run),
    input: promptOf(conversation, {
      images: run.takesImages,
      provider: provider.id,
      origin: settings.modelProvider,
      ...(provider.namespaces === false && { flatName: flatNameOf(host.platform) }),
    }),
    tools: tools ? toolSpecs(run) : [],
    parallel: tools,
    effort: settings.effort,
    summary: settings.summary,
    ...(schema === undefined ? {} : { outputSchema: { schema, strict: true } }),
    ...(record.originator !== null && { originator: record.originator }),
    ids: { thread: run.thread.id, turn: run.id, session: record.sessionId },
  };
}

/** The part of the context window that the list of skills may take. */
const SKILLS_SHARE = 0.02;

/** The base instructions of the thread. */
export function instructionsOf({ thread: { record } }: TurnRun): string {
  return record.instructions === "" ? BASE_INSTRUCTIONS : record.instructions;
}

/** Tells the model what has changed in its situation since it was last told. Everything, in a new conversation. */
export async function tellSituation(run: TurnRun): Promise<void> {
  await refreshInstructions(run.thread);
  run.thread.remember(...situationOf(run, run.thread.record.history));
}

/** The messages that bring a conversation up to date. */
export function situationOf(run: TurnRun, history: readonly WireObject[]): WireObject[] {
  const { settings, record, host } = run.thread;
  const now = new Date();
  const pad = (part: number): string => String(part).padStart(2, "0");
  return contextUpdates(
    history,
    contextParts({
      settings,
      developerInstructions: record.developerInstructions ?? "",
      instructions: run.thread.instructions,
      skills: run.thread.skills.skills,
      skillTokens: Math.floor(windowLimits(run.thread, settings.model).usable * SKILLS_SHARE),
      shell: host.platform.shell ?? "bash",
      date: `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    }),
  );
}
