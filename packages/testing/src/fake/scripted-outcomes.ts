import type { Gate } from "../model-gate.ts";
import type { ToolOutcome } from "../model-steps.ts";

/** The scripted outcome of a call, for the ports that execute calls. */
export interface ScriptedOutcome extends ToolOutcome {
  readonly output?: string | readonly string[];
  readonly exitCode?: number;
  readonly until?: Gate;
}

/** The outcomes that a model's script supplies with its calls, by thread and call. */
export class ScriptedOutcomes {
  readonly #outcomes = new Map<string, ScriptedOutcome>();

  /** Called when the model makes a call. A later call with the same id replaces the outcome. */
  set(threadId: string, callId: string, outcome: ScriptedOutcome | undefined): void {
    const key = keyOf(threadId, callId);
    if (outcome === undefined) this.#outcomes.delete(key);
    else this.#outcomes.set(key, outcome);
  }

  get(threadId: string, callId: string): ScriptedOutcome | undefined {
    return this.#outcomes.get(keyOf(threadId, callId));
  }
}

function keyOf(threadId: string, callId: string): string {
  return `${threadId}\0${callId}`;
}
