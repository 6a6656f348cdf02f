import type { CollabAgentState } from "codexwright/protocol";
import { cutOutput } from "../context/budget.ts";
import { finalMessage } from "../records/record.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import type { TurnRun } from "../turn/turn-run.ts";

/** The states of agents by id. */
export type AgentStates = Readonly<Record<string, CollabAgentState>>;

/** Another thread may have more permissions, so a model must not act in it as its user. */
export function agentOf(run: TurnRun, id: string): LoadedThread | undefined {
  const found = run.host.loaded.get(id);
  return found?.record.parentThreadId === run.thread.id ? found : undefined;
}

export function statesOf(run: TurnRun, ids: readonly string[]): AgentStates {
  return Object.fromEntries(ids.map((id) => [id, stateOf(agentOf(run, id))]));
}

export function stateOf(child: LoadedThread | undefined): CollabAgentState {
  if (!child) return { status: "notFound", message: null };
  if (child.turn) return { status: "running", message: null };
  const last = child.record.turns.at(-1);
  if (!last) return { status: "pendingInit", message: null };
  if (last.status === "failed") return { status: "errored", message: last.error?.message ?? null };
  if (last.status === "interrupted") return { status: "interrupted", message: null };
  const final = finalMessage(last.items.map(({ item }) => item));
  return { status: "completed", message: final?.type === "agentMessage" ? final.text : null };
}

/** Those that do nothing more by themselves. */
export function ended(states: AgentStates): AgentStates {
  const isEnded = ({ status }: CollabAgentState): boolean => status !== "running" && status !== "pendingInit";
  return Object.fromEntries(Object.entries(states).filter(([, state]) => isEnded(state)));
}

/** Whether one of the agents has failed or does not exist. */
export function hasFailed(states: AgentStates): boolean {
  return Object.values(states).some(({ status }) => status === "errored" || status === "notFound");
}

/** The states in the form that the model receives. */
export function toldOf(states: AgentStates): Record<string, unknown> {
  return Object.fromEntries(Object.entries(states).map(([id, state]) => [id, told(state)]));
}

/** A state in the form that the model receives. An answer of any length takes a bounded part of the conversation. */
export function told({ status, message }: CollabAgentState): unknown {
  return status === "completed" || status === "errored"
    ? { [status]: message === null ? null : cutOutput(message) }
    : status;
}
