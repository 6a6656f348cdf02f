import type { CollabAgentTool, ThreadItem, UserInput } from "codexwright/protocol";
import { untilInterrupted } from "../approvals/ask.ts";
import { ArgumentsError, optional } from "../commands/arguments.ts";
import { inputText, message } from "../context/conversation.ts";
import { randomInteger } from "../ids.ts";
import { agentNote, AGENT_SPECS, AGENTS_NAMESPACE } from "../instructions/agent-specs.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import { idOf, idsOf, inputOf, promptOf, waitMsOf } from "./agent-arguments.ts";
import { forkedHistory, modelOf } from "./agent-spawn.ts";
import { agentOf, ended, hasFailed, stateOf, statesOf, told, toldOf } from "./agent-states.ts";
import type { CallOutcome, ToolCall, ToolHandler } from "./tool-handler.ts";

type AgentItem = Extract<ThreadItem, { type: "collabAgentToolCall" }>;

const NAMES = ["Ada", "Boole", "Curie", "Darwin", "Euler", "Fermat", "Gauss", "Hume", "Mill", "Turing"];

/**
 * The tools by which a model delegates work to agents. Each agent is a separate thread. A model reaches only the agents
 * that its own thread has spawned. An agent at the limit of depth has no agents.
 */
export const AGENT_TOOLS: readonly ToolHandler<TurnRun>[] = [
  agentTool("close_agent", close),
  agentTool("resume_agent", resume),
  agentTool("send_input", send),
  agentTool("spawn_agent", spawn),
  agentTool("wait_agent", wait),
];

type AgentTool = (run: TurnRun, call: ToolCall) => Promise<CallOutcome> | CallOutcome;

function agentTool(name: keyof typeof AGENT_SPECS, tool: AgentTool): ToolHandler<TurnRun> {
  return {
    name,
    namespace: "multi_agent_v1",
    namespaceDescription: AGENTS_NAMESPACE,
    parallel: false,
    spec: (run) => (mayHaveAgents(run) ? AGENT_SPECS[name] : undefined),
    run: async (call, run) => {
      if (!mayHaveAgents(run)) return { output: "Agent depth limit reached. Solve the task yourself." };
      try {
        return await tool(run, call);
      } catch (error) {
        if (error instanceof ArgumentsError) return { output: error.message };
        throw error;
      }
    },
  };
}

function mayHaveAgents({ thread, host }: TurnRun): boolean {
  return thread.agentDepth < host.agents.maxDepth;
}

async function spawn(run: TurnRun, call: ToolCall): Promise<CallOutcome> {
  const { thread, host } = run;
  const input = inputOf(call.input);
  const wanted = {
    model: optional(call.input, "model", "string"),
    effort: optional(call.input, "reasoning_effort", "string"),
  };
  const forks = optional(call.input, "fork_context", "boolean") ?? false;
  const { model = "", effort = "medium" } = wanted;
  const item = itemOf(run, call, "spawnAgent", [], {
    prompt: promptOf(input),
    model,
    reasoningEffort: effort,
  });
  run.items.start(item);
  const refuse = (output: string): CallOutcome => {
    run.items.complete({ ...item, status: "failed" });
    return { output };
  };
  const settings = await modelOf(run, wanted);
  if (typeof settings === "string") return refuse(settings);
  const { maxThreads } = host.agents;
  if (host.loaded.family(thread).length >= maxThreads) {
    return refuse(`collab spawn failed: agent thread limit reached (max ${maxThreads})`);
  }
  const nickname = NAMES[randomInteger(0, NAMES.length)] ?? "Ada";
  const history = forks ? forkedHistory(thread.record.history) : [];
  const child = host.loaded.child(thread, { nickname, settings, history });
  child.isWatched = true;
  run.items.complete({
    ...item,
    status: "completed",
    model: child.settings.model,
    receiverThreadIds: [child.id],
    agentsStates: { [child.id]: { status: "pendingInit", message: null } },
  });
  begin(child, run, input);
  return { output: JSON.stringify({ agent_id: child.id, nickname }) };
}

/** Starts a turn of an agent. The parent does not wait for it: the turn may outlive the parent's turn. */
function begin(child: LoadedThread, run: TurnRun, input: UserInput[]): void {
  run.host.loaded.warnOfModel(child);
  run.host.startTurn(child, { input, clientId: null }, run.record.rootTurnId ?? run.id);
  child.turn?.ended.then(() => tellResult(run, child)).catch((error: unknown) => run.host.failed(error));
}

/** An interrupted agent has no result. */
function tellResult(run: TurnRun, child: LoadedThread): void {
  const state = stateOf(child);
  if (state.status === "completed" || state.status === "errored") tellEnd(run, child, told(state));
}

/** Tells the model of the parent, once, that an agent has ended. */
function tellEnd({ host, thread }: TurnRun, child: LoadedThread, status: unknown): void {
  if (!child.isWatched) return;
  child.isWatched = false;
  if (host.loaded.get(thread.id) !== thread) return;
  const note = message("user", [inputText(agentNote(child.id, status))]);
  if (thread.turn) return thread.turn.inject(note);
  thread.remember(note);
  thread.save();
}

async function wait(run: TurnRun, call: ToolCall): Promise<CallOutcome> {
  const ids = idsOf(call.input);
  const ms = waitMsOf(call.input);
  const item = itemOf(run, call, "wait", ids);
  run.items.start(item);
  let states = ended(statesOf(run, ids));
  if (Object.keys(states).length === 0) {
    let cancel = (): void => {};
    const late = new Promise<void>((resolve) => (cancel = run.host.clock.after(ms, resolve, true)));
    const turns = ids.flatMap((id) => agentOf(run, id)?.turn?.ended ?? []);
    try {
      await untilInterrupted(run, Promise.race([late, ...turns]));
    } finally {
      cancel();
    }
    states = ended(statesOf(run, ids));
  }
  run.items.complete({ ...item, status: hasFailed(states) ? "failed" : "completed", agentsStates: states });
  const timedOut = Object.keys(states).length === 0;
  return { output: JSON.stringify({ status: toldOf(states), timed_out: timedOut }) };
}

async function send(run: TurnRun, call: ToolCall): Promise<CallOutcome> {
  const id = idOf(call.input, "target");
  const input = inputOf(call.input);
  const interrupts = optional(call.input, "interrupt", "boolean") ?? false;
  const item = itemOf(run, call, "sendInput", [id], { prompt: promptOf(input) });
  run.items.start(item);
  const child = agentOf(run, id);
  if (!child) return notFound(run, item, id);
  confineAs(run.thread, child);
  if (interrupts) await child.turn?.interruptForGood();
  // Its end may just be stored.
  else if (child.turn?.ending) await child.turn.ended;
  run.items.complete({ ...item, status: "completed", agentsStates: statesOf(run, [id]) });
  if (child.turn) child.turn.steer({ input, clientId: null });
  else begin(child, run, input);
  return { output: JSON.stringify({ submission_id: child.turn?.id ?? "" }) };
}

async function close(run: TurnRun, call: ToolCall): Promise<CallOutcome> {
  const id = idOf(call.input, "target");
  const item = itemOf(run, call, "closeAgent", [id]);
  run.items.start(item);
  const child = agentOf(run, id);
  if (!child) return notFound(run, item, id);
  const states = statesOf(run, [id]);
  await run.host.loaded.endAgent(child);
  run.items.complete({ ...item, status: "completed", agentsStates: states });
  tellEnd(run, child, "shutdown");
  return { output: JSON.stringify({ previous_status: toldOf(states)[id] }) };
}

async function resume(run: TurnRun, call: ToolCall): Promise<CallOutcome> {
  const id = idOf(call.input, "id");
  const item = itemOf(run, call, "resumeAgent", [id]);
  run.items.start(item);
  const known = agentOf(run, id);
  const child = known ?? (await run.host.loaded.reopenAgent(run.thread, id, run.host.agents.maxThreads));
  if (typeof child === "string" || !child) return notFound(run, item, id, child);
  confineAs(run.thread, child);
  if (!known) child.isWatched = true;
  const states = statesOf(run, [id]);
  run.items.complete({ ...item, status: "completed", agentsStates: states });
  return { output: JSON.stringify({ status: toldOf(states)[id] }) };
}

function notFound(run: TurnRun, item: AgentItem, id: string, why?: string): CallOutcome {
  run.items.complete({ ...item, status: "failed", agentsStates: { [id]: stateOf(undefined) } });
  return { output: why ?? `agent with id ${id} not found` };
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

/** The user may have restricted the thread since it spawned the agent. An agent must not act with the permissions of before. */
function confineAs({ settings }: LoadedThread, child: LoadedThread): void {
  const { approvalPolicy, approvalsReviewer, sandbox, permissions } = settings;
  Object.assign(child.settings, { approvalPolicy, approvalsReviewer, sandbox, permissions });
}
