import type { Clock } from "../clock.ts";
import { lenientJson } from "../json.ts";
import { RunLog, type RunRecord } from "../session/run-log.ts";
import type { RunSession } from "../tools/run-session.ts";
import { EventLog } from "./event-log.ts";
import { ADAPTER, type AgentEvent, type AgentEventBody } from "./events.ts";

/** What sessions keep of a run. */
const KEPT: ReadonlySet<AgentEventBody["type"]> = new Set([
  "prompt.rendered",
  "thread.started",
  "tool.invoked",
  "prompt.executed",
]);

/** Where something happened. */
export interface EventPlace {
  readonly threadId?: string | undefined;
  readonly turnId?: string | undefined;
}

/** Stamps what happens in a run and tells everybody who wants to know. */
export class RunRecorder {
  readonly log: EventLog<AgentEvent> = new EventLog();
  /** Where the run is. */
  place: EventPlace = {};
  readonly #runId: string;
  readonly #promptId: string;
  readonly #session: RunSession;
  readonly #clock: Clock;

  constructor(runId: string, promptId: string, session: RunSession, clock: Clock) {
    this.#runId = runId;
    this.#promptId = promptId;
    this.#session = session;
    this.#clock = clock;
  }

  emit(body: AgentEventBody, at: EventPlace = {}): void {
    if (KEPT.has(body.type)) this.#keep(this.#stamped(body, at));
    this.log.push(this.#stamped(body, at));
  }

  warn(message: string): void {
    this.emit({ type: "warning", message });
  }

  #stamped(body: AgentEventBody, at: EventPlace): AgentEvent {
    const { threadId, turnId } = { ...this.place, ...at };
    return {
      ...body,
      adapter: ADAPTER,
      runId: this.#runId,
      promptId: this.#promptId,
      ...(threadId !== undefined && { threadId }),
      ...(turnId !== undefined && { turnId }),
      seq: this.log.events.length,
      at: this.#clock.now(),
    };
  }

  /** What goes wrong with notes about a run must not break it. The last event stays the last: warnings come before. */
  #keep(event: AgentEvent): void {
    try {
      const record = JSON.parse(lenientJson(event)) as RunRecord;
      this.#session.tagged({ runId: this.#runId }).dispatch(RunLog.append(record));
    } catch (error) {
      this.warn(`the session did not take ${event.type}: ${String(error)}`);
    }
  }
}
