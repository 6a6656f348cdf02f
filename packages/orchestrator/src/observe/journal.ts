import type { FleetEventName, NewFleetEvent } from "../domain/events.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { JobStore, Scope } from "../jobs/port.ts";
import type { Clean } from "./clean.ts";
import type { FleetLog, Level } from "./log.ts";

/** Events that wait for a database that is away. Older ones are dropped. */
const MOST_WAITING = 1_000;

/** Writes events to the log at once, and to the job store soon. Never throws, and nothing waits for it. */
export class Journal {
  readonly #store: Pick<JobStore, "emit">;
  readonly #scope: Scope;
  readonly #clean: Clean;
  readonly log: FleetLog;
  #waiting: NewFleetEvent[] = [];
  #sending: Promise<void> | undefined;
  /** Events that were dropped. */
  dropped = 0;

  constructor(store: Pick<JobStore, "emit">, scope: Scope, { log, clean }: { log: FleetLog; clean: Clean }) {
    this.#store = store;
    this.#scope = scope;
    this.#clean = clean;
    this.log = log;
  }

  /** Records an event in the log and in the job store. */
  record(event: NewFleetEvent, level: Level = LEVELS[event.event] ?? "info"): void {
    this.note(event, level);
    const { message, data } = event;
    this.#waiting.push({
      ...event,
      message: this.#clean(message),
      ...(data && { data: cleanedObject(data, this.#clean) }),
    });
    if (this.#waiting.length > MOST_WAITING) {
      this.#waiting.shift();
      this.dropped += 1;
    }
    void this.flush();
  }

  /** Writes a line for an event that the job store has recorded itself. */
  note(event: NewFleetEvent, level: Level = LEVELS[event.event] ?? "info"): void {
    const { issueId, identifier, runId, sessionId, message, data } = event;
    this.log.write(level, event.event, message, {
      issue_id: issueId,
      issue_identifier: identifier,
      session_id: sessionId,
      run_id: runId,
      ...data,
    });
  }

  /** Resolves when the events so far are stored, or cannot be stored now. */
  async flush(): Promise<void> {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
    await this.#sending;
  }

  async #send(): Promise<void> {
    // The events of one turn of the event loop are stored together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const sent = this.#waiting;
      this.#waiting = [];
      try {
        await this.#store.emit(this.#scope, sent);
      } catch {
        // They are sent again with the next event.
        const kept = [...sent, ...this.#waiting];
        this.dropped += Math.max(kept.length - MOST_WAITING, 0);
        this.#waiting = kept.slice(-MOST_WAITING);
        return;
      }
    }
  }
}

const LEVELS: Partial<Record<FleetEventName, Level>> = {
  "tick.done": "debug",
  "tick.failed": "error",
  "workflow.invalid": "error",
  "claim.blocked": "warn",
  "run.fenced": "warn",
  "run.lost": "warn",
  "run.phase": "debug",
  warning: "warn",
};

function cleanedObject(value: JsonObject, clean: Clean): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cleanedValue(each, clean)]));
}

function cleanedValue(value: Json, clean: Clean): Json {
  if (typeof value === "string") return clean(value);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map((each) => cleanedValue(each, clean));
  return cleanedObject(value, clean);
}

function isList(value: JsonObject | readonly Json[]): value is readonly Json[] {
  return Array.isArray(value);
}
