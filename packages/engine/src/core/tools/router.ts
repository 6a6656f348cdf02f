import { isJsonObject } from "codexwright/internal";
import { parseJson } from "../depth.ts";
import { afterTool, beforeTool } from "../hooks.ts";
import { AGENT_TOOLS } from "./agents.ts";
import { dynamicHandlers } from "./dynamic-tools.ts";
import { execCommand, shellCommand } from "./exec.ts";
import { findMcpTool, mcpHandlers } from "./mcp-tools.ts";
import { RESOURCE_TOOLS } from "./mcp-resources.ts";
import { applyPatch } from "./patch-call.ts";
import { requestPermissions } from "./permissions.ts";
import { updatePlan } from "./plan.ts";
import { viewImage } from "./view-image.ts";
import { writeStdin } from "./write-stdin.ts";
import { requestUserInput } from "./questions.ts";
import type { CallOutcome, ToolCall, ToolHandler } from "./tool-handler.ts";
import { unlessStuck } from "../turn/unless-stuck.ts";
import type { TurnRun } from "../turn/turn-run.ts";

type Handler = ToolHandler<TurnRun>;

/** A tool call as the model made it, before its arguments are read. */
export interface RawCall extends Omit<ToolCall, "input"> {
  /** Whether the model wrote the arguments as plain text. */
  readonly custom: boolean;
}

const TOOLS: readonly Handler[] = [
  execCommand,
  shellCommand,
  applyPatch,
  writeStdin,
  updatePlan,
  viewImage,
  requestUserInput,
  requestPermissions,
  ...AGENT_TOOLS,
  ...RESOURCE_TOOLS,
];

/**
 * All tools of a turn. An earlier tool hides later tools of the same name, so a tool of the embedding program can
 * replace one of the engine.
 */
export function toolsOf(run: TurnRun): readonly Handler[] {
  const { thread, host } = run;
  const { only } = thread;
  if (only) return TOOLS.filter(({ name, namespace }) => namespace === undefined && only.has(name));
  return [
    ...dynamicHandlers(thread),
    ...(host.tools as readonly Handler[]),
    ...TOOLS,
    ...mcpHandlers(thread),
  ];
}

/** The tools of a turn in the order in which the model is offered them, without those that are hidden. */
export function offeredTools(run: TurnRun): Handler[] {
  const all = toolsOf(run);
  if (run.thread.only) return [...all];
  const visible = new Map(all.toReversed().map((tool) => [keyOf(tool), tool]));
  return [...new Set([...TOOLS, ...all].map((tool) => visible.get(keyOf(tool)) ?? tool))];
}

/** A text that tells tools apart. */
export function keyOf(tool: {
  readonly name: string;
  readonly namespace?: string | null | undefined;
}): string {
  return `${tool.namespace ?? ""}\0${tool.name}`;
}

/**
 * Runs a tool call of the model. An error becomes a text for the model, so that the model can correct the call. Rejects
 * only if the turn is interrupted.
 */
export async function runCall(run: TurnRun, call: RawCall): Promise<CallOutcome> {
  const handler = handlerOf(run, call);
  if (!handler || (call.custom && !handler.freeform)) {
    return { output: `unsupported call: ${call.namespace ?? ""}${call.name}` };
  }
  const input = call.custom ? { input: call.args } : read(call.args);
  if (typeof input === "string") return { output: `failed to parse function arguments: ${input}` };
  return await run.gate.enter(handler.parallel, async () => {
    run.signal.throwIfAborted();
    return await hooked(run, handler, { ...call, input });
  });
}

/** Runs a tool between the hooks of the embedding program. */
async function hooked(run: TurnRun, handler: Handler, call: ToolCall): Promise<CallOutcome> {
  const context = { threadId: run.threadId, turnId: run.id, signal: run.signal };
  return await orFailure(run, `${call.name} failed`, async () => {
    const answer = await beforeTool(run.host, call, context);
    if (answer && "output" in answer) return answer;
    const asked = answer ? { ...call, ...answer, args: JSON.stringify(answer.input) } : call;
    const outcome = await orFailure(run, `${call.name} failed`, async () =>
      unlessStuck(run.signal, Promise.resolve(handler.run(asked, run))),
    );
    return await orFailure(run, `${call.name} has run, but its output is withheld`, () =>
      afterTool(run.host, asked, outcome, context),
    );
  });
}

/** Turns an error into a text for the model. Rejects only if the turn is interrupted. */
async function orFailure(run: TurnRun, what: string, work: () => Promise<CallOutcome>): Promise<CallOutcome> {
  try {
    return await work();
  } catch (error) {
    if (run.signal.aborted || run.over.aborted) throw error;
    run.host.failed(error);
    const why = error instanceof Error ? error.message : String(error);
    return { output: `${what}: ${why}` };
  }
}

function handlerOf(run: TurnRun, call: RawCall): Handler | undefined {
  const key = keyOf(call);
  const named = toolsOf(run).find((tool) => keyOf(tool) === key);
  return named ?? (run.thread.only ? undefined : findMcpTool(run.thread, call));
}

/** Returns the arguments of a call, or why they cannot be read. */
function read(args: string): Record<string, unknown> | string {
  try {
    const parsed: unknown = parseJson(args === "" ? "{}" : args);
    return isJsonObject(parsed) ? parsed : "not an object";
  } catch (error) {
    return (error as Error).message;
  }
}
