import type { CollabAgentState, CollabAgentTool, ThreadItem } from "codexwright/protocol";
import { AGENT_SPECS, AGENTS_NAMESPACE } from "../instructions/tool-specs.ts";
import type { WireObject } from "../wire-object.ts";
import { untilInterrupted } from "../approvals/ask.ts";
import type { CallOutcome, ToolCall, ToolHandler } from "./tool-handler.ts";
import { randomInteger } from "../ids.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import { textOf } from "../text.ts";
import { finalMessage } from "../records/record.ts";
import type { TurnRun } from "../turn/turn-run.ts";

type AgentItem = Extract<ThreadItem, { type: "collabAgentToolCall" }>;

const NAMES = ["Ada", "Boole", "Curie", "Darwin", "Euler", "Fermat", "Gauss", "Hume", "Mill", "Turing"];

/** The most agents of a thread at a time. As in Codex. */
const MAX_AGENTS = 6;

/**
 * The tools by which a model delegates work to agents. Each agent is a separate thread with the same model. A model
 * reaches only the agents that its own thread has spawned, and an agent has no agents.
 */
export const AGENT_TOOLS: readonly ToolHandler<TurnRun>[] = [
  agentTool("close_agent", (call, run) => close(run, call, targetsOf(call.input))),
  agentTool("send_input", (call, run) => send(run, call, call.input)),
  agentTool("spawn_agent", (call, run) => spawn(run, call, call.input)),
  agentTool("wait_agent", (call, run) => wait(run, call, targetsOf(call.input))),
];

function agentTool(name: string, run: ToolHandler<TurnRun>["run"]): ToolHandler<TurnRun> {
  return {
    name,
    namespace: "multi_agent_v1",
    namespaceDescription: AGENTS_NAMESPACE,
    parallel: false,
    spec: () => AGENT_SPECS[name],
    run,
  };
}

function spawn(run: TurnRun, call: ToolCall, args: WireObject): CallOutcome {
  const { thread } = run;
  if (thread.record.parentThreadId !== null) {
    return { output: "Agent depth limit reached. Solve the task yourself." };
  }
  if (run.host.loaded.all().filter((each) => isAgentOf(run, each)).length >= MAX_AGENTS) {
    return { output: `collab spawn failed: agent thread limit reached (max ${MAX_AGENTS})` };
  }
  const prompt = textOf(args["message"]);
  const item = itemOf(run, call, "spawnAgent", [], { prompt, model: "", reasoningEffort: "medium" });
  run.items.start(item);
  const nickname = NAMES[randomInteger(0, NAMES.length)] ?? "Ada";
  const child = run.host.loaded.child(thread, nickname);
  const state: CollabAgentState = { status: "pendingInit", message: null };
  run.items.complete({
    ...item,
    status: "completed",
    model: child.settings.model,
    receiverThreadIds: [child.id],
    agentsStates: { [child.id]: state },
  });
  begin(child, run, prompt);
  return { output: JSON.stringify({ agent_id: child.id, nickname }) };
}

/** Starts a turn of an agent. The parent does not wait for it: the turn may outlive the parent's turn. */
function begin(child: LoadedThread, parent: TurnRun, prompt: string): void {
  const input = [{ type: "text" as const, text: prompt, text_elements: [] }];
  parent.host.loaded.warnOfModel(child);
  parent.host.startTurn(child, { input, clientId: null }, parent.record.rootTurnId ?? parent.id);
}

async function wait(run: TurnRun, call: ToolCall, ids: readonly string[]): Promise<CallOutcome> {
  const item = itemOf(run, call, "wait", ids);
  run.items.start(item);
  const turns = ids.flatMap((id) => agentOf(run, id)?.turn ?? []);
  // Wait until the first agent is done. If one of them is already done, do not wait.
  if (turns.length === ids.length && turns.length > 0) {
    await untilInterrupted(run, Promise.race(turns.map(({ ended }) => ended)));
  }
  const states = statesOf(run, ids);
  run.items.complete({ ...item, status: "completed", agentsStates: states });
  return { output: JSON.stringify({ status: toldOf(states), timed_out: false }) };
}

function send(run: TurnRun, call: ToolCall, args: WireObject): CallOutcome {
  const prompt = textOf(args["message"]);
  const ids = targetsOf(args);
  const item = itemOf(run, call, "sendInput", ids, { prompt });
  run.items.start(item);
  const states = statesOf(run, ids);
  const child = agentOf(run, ids[0] ?? "");
  run.items.complete({ ...item, status: child ? "completed" : "failed", agentsStates: states });
  if (!child) return { output: `agent with id ${ids[0] ?? ""} not found` };
  confineAs(run.thread, child);
  const input = [{ type: "text" as const, text: prompt, text_elements: [] }];
  if (child.turn) child.turn.steer({ input, clientId: null });
  else begin(child, run, prompt);
  return { output: JSON.stringify({ submission_id: child.turn?.id ?? "" }) };
}

async function close(run: TurnRun, call: ToolCall, ids: readonly string[]): Promise<CallOutcome> {
  const item = itemOf(run, call, "closeAgent", ids);
  run.items.start(item);
  const states = statesOf(run, ids);
  for (const id of ids) {
    const child = agentOf(run, id);
    if (child) await run.host.loaded.unload(child);
  }
  run.items.complete({ ...item, status: "completed", agentsStates: states });
  const [previous] = Object.values(toldOf(states));
  return { output: JSON.stringify({ previous_status: previous }) };
}

function itemOf(
  run: TurnRun,
  call: ToolCall,
  tool: CollabAgentTool,
  receiverThreadIds: readonly string[],
  more: Partial<AgentItem> = {},
): AgentItem {
  return {
    type: "collabAgentToolCall",
    id: call.callId,
    tool,
    status: "inProgress",
    senderThreadId: run.thread.id,
    receiverThreadIds: [...receiverThreadIds],
    prompt: null,
    model: null,
    reasoningEffort: null,
    agentsStates: {},
    ...more,
  };
}

function targetsOf(args: WireObject): string[] {
  const many = args["targets"] ?? args["ids"];
  if (Array.isArray(many)) return many.map(textOf);
  const one = args["target"] ?? args["id"];
  return one === undefined ? [] : [textOf(one)];
}

/** The user may have restricted the thread since it spawned the agent. An agent must not act with the permissions of before. */
function confineAs({ settings }: LoadedThread, child: LoadedThread): void {
  const { approvalPolicy, approvalsReviewer, sandbox, permissions } = settings;
  Object.assign(child.settings, { approvalPolicy, approvalsReviewer, sandbox, permissions });
}

/** Another thread may have more permissions, so a model must not act in it as its user. */
function agentOf(run: TurnRun, id: string): LoadedThread | undefined {
  const found = run.host.loaded.get(id);
  return found && isAgentOf(run, found) ? found : undefined;
}

function isAgentOf(run: TurnRun, { record }: LoadedThread): boolean {
  return record.parentThreadId === run.thread.id;
}

function statesOf(run: TurnRun, ids: readonly string[]): Record<string, CollabAgentState> {
  return Object.fromEntries(ids.map((id) => [id, stateOf(agentOf(run, id))]));
}

function stateOf(child: LoadedThread | undefined): CollabAgentState {
  if (!child) return { status: "notFound", message: null };
  if (child.turn) return { status: "running", message: null };
  const last = child.record.turns.at(-1);
  if (!last) return { status: "pendingInit", message: null };
  if (last.status === "failed") return { status: "errored", message: last.error?.message ?? null };
  if (last.status === "interrupted") return { status: "interrupted", message: null };
  const final = finalMessage(last.items.map(({ item }) => item));
  return { status: "completed", message: final?.type === "agentMessage" ? final.text : null };
}

/** The states in the form that the model receives. */
function toldOf(states: Readonly<Record<string, CollabAgentState>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(states).map(([id, { status, message }]) => [
      id,
      status === "completed" || status === "errored" ? { [status]: message } : status,
    ]),
  );
}
