import type { Clock } from "../clock.ts";
import { lenientJson } from "../json.ts";
import { RunLog, type RunRecord } from "../session/run-log.ts";
import type { RunSession } from "../tools/run-session.ts";
import { EventLog, type LogLimit } from "./event-log.ts";
import { ADAPTER, type AgentEvent, type AgentEventBody } from "./events.ts";

/** The events that sessions store. */
const KEPT: ReadonlySet<AgentEventBody["type"]> = new Set([
  "prompt.rendered",
  "thread.started",
  "tool.invoked",
  "prompt.executed",
]);

type Delta = Extract<AgentEvent, { type: "text.delta" }>;

/** How a log with a maximum number of events keeps the text, the prompts and the threads of a run. */
const LIMIT: Omit<LogLimit<AgentEvent>, "max"> = {
  coalescer: {
    key: (event) => (event.type === "text.delta" ? event.itemId : undefined),
    text: (event) => (event as Delta).delta,
    withText: (event, delta) => ({ ...(event as Delta), delta }),
  },
  isKept: ({ type }) => type === "prompt.rendered" || type === "thread.started",
};

/** The thread and turn of an event. */
export interface EventPlace {
  readonly threadId?: string | undefined;
  readonly turnId?: string | undefined;
}

/** Stamps the events of a run, logs them for its readers, and stores some of them in the session. */
export class RunRecorder {
  readonly log: EventLog<AgentEvent>;
  /** Called with each event. */
  observer: ((event: AgentEventBody) => void) | undefined;
  /** The current thread and turn of the run. */
  place: EventPlace = {};
  readonly #runId: string;
  readonly #promptId: string;
  readonly #session: RunSession;
  readonly #clock: Clock;

  /** @param max the maximum number of events to keep; undefined = all */
  constructor(runId: string, promptId: string, session: RunSession, clock: Clock, max: number | undefined) {
    this.log = new EventLog(max === undefined ? undefined : { ...LIMIT, max });
    this.#runId = runId;
    this.#promptId = promptId;
    this.#session = session;
    this.#clock = clock;
  }

  emit(body: AgentEventBody, at: EventPlace = {}): void {
    if (KEPT.has(body.type)) this.#keep(this.#stamped(body, at));
    this.log.push(this.#stamped(body, at));
    this.observer?.(body);
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
      seq: this.log.count,
      at: this.#clock.now(),
    };
  }

  /**
   * An error while storing an event must not fail the run. It is emitted as a warning before the event, so that the
   * last event of the run stays last.
   */
  #keep(event: AgentEvent): void {
    try {
      const record = JSON.parse(lenientJson(event)) as RunRecord;
      this.#session.tagged({ runId: this.#runId }).dispatch(RunLog.append(record));
    } catch (error) {
      this.warn(`the session could not store ${event.type}: ${String(error)}`);
    }
  }
}
