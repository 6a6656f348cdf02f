import type { AgentEvent, Run } from "codexwright/agent";
import type { Tokens } from "../domain/tokens.ts";
import type { RunObserver } from "./port.ts";

/** How often the silence of the server is reported. */
const LOOK_MS = 1000;

/** The longest text that is shown in lists. */
const LONGEST = 200;

/** The receivers of a run's events. */
export interface Followers {
  readonly observer: RunObserver;
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal;
  readonly clean: (text: string) => string;
  /** Called after every model call. */
  readonly onUsage: (tokens: Tokens) => void;
  /** Called when the thread is ready. */
  readonly onThread: (threadId: string) => void;
}

/** Reports the events of a run until it ends. Never rejects: the failure of a run is that of `run.result`. */
export async function follow(run: Run, followers: Followers): Promise<void> {
  const { observer, signal, clean, onUsage, onThread } = followers;
  const look = setInterval(() => observer.silence(run.isHeld ? 0 : run.quietMs), LOOK_MS);
  const turns = new Turns(observer);
  try {
    for await (const event of run) {
      if (event.type === "thread.started" && event.threadId !== undefined) onThread(event.threadId);
      turns.take(event);
      observer.heard(event.type, messageOf(event, clean));
      if (event.type === "usage") {
        const { inputTokens, cachedInputTokens, outputTokens, totalTokens } = event.total;
        const tokens = { inputTokens, cachedInputTokens, outputTokens, totalTokens };
        observer.tokens(tokens);
        onUsage(tokens);
      }
      if (event.type === "warning") {
        observer.event({ event: "warning", message: clean(event.message).slice(0, LONGEST) });
      }
    }
    turns.end("completed", null);
  } catch (error) {
    // `run.result` rejects with the same error.
    turns.end(...endOf(error, signal));
  } finally {
    clearInterval(look);
  }
}

type TurnEnd = readonly [outcome: "completed" | "failed" | "cancelled", reason: string | null];

/** How the last turn of a run that failed ended. */
function endOf(error: unknown, signal: AbortSignal): TurnEnd {
  const { code } = error as { readonly code?: unknown };
  const reason = typeof code === "string" ? code : null;
  if (signal.aborted) return ["cancelled", "the run was stopped"];
  return reason === "turn_interrupted" ? ["cancelled", reason] : ["failed", reason];
}

/** Reports the sessions of a run: a thread, and a turn of it. */
class Turns {
  readonly #observer: RunObserver;
  #turnId: string | undefined;
  #count = 0;

  constructor(observer: RunObserver) {
    this.#observer = observer;
  }

  take(event: AgentEvent): void {
    const { threadId, turnId } = event;
    if (event.type === "prompt.continued") this.end("completed", null);
    if (threadId === undefined) return;
    if (event.type === "thread.started") this.#observer.session({ threadId, turnId: null, turnCount: 0 });
    if (turnId === undefined || turnId === this.#turnId) return;
    this.end("completed", null);
    this.#turnId = turnId;
    this.#count++;
    this.#observer.session({ threadId, turnId, turnCount: this.#count });
    const sessionId = `${threadId}-${turnId}`;
    if (this.#count === 1) {
      this.#observer.phase("StreamingTurn");
      this.#observer.event({
        event: "session.started",
        sessionId,
        message: `the session ${sessionId} began`,
      });
    }
    const message = `turn ${this.#count} began`;
    this.#observer.event({ event: "turn.started", sessionId, message, data: { turn: this.#count } });
  }

  end(...[outcome, reason]: TurnEnd): void {
    if (this.#turnId === undefined) return;
    this.#turnId = undefined;
    const data = { turn: this.#count, outcome, reason };
    this.#observer.event({ event: "turn.completed", message: `turn ${this.#count} ${outcome}`, data });
  }
}

/** A short text about an event for people. Not the model's words while they are still being written. */
function messageOf(event: AgentEvent, clean: (text: string) => string): string | null {
  switch (event.type) {
    case "message":
      return clean(event.text).slice(0, LONGEST);
    case "tool.started":
    case "tool.invoked":
      return `${event.origin} ${event.name}`;
    case "approval":
      return `${event.request.kind}: ${typeof event.decision === "string" ? event.decision : "accepted with a rule"}`;
    case "retrying":
    case "warning":
      return clean(event.message).slice(0, LONGEST);
    default:
      return null;
  }
}
