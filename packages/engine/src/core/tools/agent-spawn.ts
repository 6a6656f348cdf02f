import type { Settings } from "../records/record.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";

/** The model and the effort of an agent that a model may choose. */
interface Wanted {
  readonly model: string | undefined;
  readonly effort: string | undefined;
}

/** The efforts that providers know. */
const EFFORTS: ReadonlySet<string> = new Set(["none", "minimal", "low", "medium", "high", "xhigh"]);

/**
 * Returns the model and the effort of a new agent, or why it cannot have them. A model may choose only among the models
 * that the provider lists, because others can cost more than the user expects.
 */
export async function modelOf(run: TurnRun, wanted: Wanted): Promise<Partial<Settings> | string> {
  const { model, effort } = wanted;
  if (effort !== undefined && !EFFORTS.has(effort))
    return `unknown reasoning effort ${JSON.stringify(effort)}`;
  const own = { ...run.settings, ...(effort !== undefined && { effort }) };
  const settings = { model: own.model, effort: own.effort, summary: own.summary };
  if (model === undefined || model === settings.model) return settings;
  const known = await run.host.provider.models(run.signal);
  if (known.some((each) => each.model === model)) return { ...settings, model };
  const names = known.map((each) => each.model).join(", ");
  return `unknown model ${JSON.stringify(model)}. Available models: ${names || "only yours"}`;
}

/** The conversation that an agent takes over from its parent: all of it up to the response that spawns the agent. */
export function forkedHistory(history: readonly WireObject[]): WireObject[] {
  const answered = new Set(history.filter(isOutput).map(({ call_id: id }) => id));
  const isOpen = (item: WireObject): boolean => isCall(item) && !answered.has(item["call_id"]);
  const at = history.findIndex(isOpen);
  return [...(at === -1 ? history : history.slice(0, at))];
}

function isCall({ type }: WireObject): boolean {
  return typeof type === "string" && type.endsWith("_call");
}

function isOutput({ type }: WireObject): boolean {
  return typeof type === "string" && type.endsWith("_output");
}
