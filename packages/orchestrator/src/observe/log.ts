import type { Json } from "../domain/json.ts";
import type { Clean } from "./clean.ts";

export type Level = "debug" | "info" | "warn" | "error";

/** The context of a line. Undefined and null fields are left out. */
export interface LogFields {
  readonly issue_id?: string | null | undefined;
  readonly issue_identifier?: string | null | undefined;
  readonly session_id?: string | null | undefined;
  readonly run_id?: string | null | undefined;
  /** The result of the action: `completed`, `failed`, `retrying`, … */
  readonly outcome?: string | null | undefined;
  readonly reason?: string | null | undefined;
  readonly [key: string]: Json | undefined;
}

/** Receives whole lines, without the line feed. May throw or reject: that costs this line only. */
export type LogSink = (line: string) => void | Promise<void>;

export interface LogOptions {
  readonly sinks: readonly LogSink[];
  /** `text`: `key=value` pairs. `json`: one object for each line. */
  readonly format?: "text" | "json";
  readonly clean: Clean;
  readonly now?: () => Date;
}

/** A longer value is cut. Errors of servers and hooks can have any length. */
const MOST_CHARACTERS = 2_048;

/** Writes structured lines. Never throws. */
export class FleetLog {
  readonly #options: LogOptions;
  readonly #failing = new Set<LogSink>();
  /** Lines that a sink did not take. */
  lost = 0;

  constructor(options: LogOptions) {
    this.#options = options;
  }

  write(level: Level, event: string, message: string, fields: LogFields = {}): void {
    try {
      this.#send(this.#line(level, event, message, fields));
    } catch {
      this.lost += 1;
    }
  }

  #line(level: Level, event: string, message: string, fields: LogFields): string {
    const { format = "text", clean, now = () => new Date() } = this.#options;
    const entries = Object.entries({ ...fields, msg: message }).flatMap(([key, value]) =>
      value === undefined || value === null ? [] : [[key, cleaned(value, clean)] as const],
    );
    const all = [["time", now().toISOString()], ["level", level], ["event", event], ...entries] as const;
    if (format === "json") return visible(JSON.stringify(Object.fromEntries(all)));
    return all.map(([key, value]) => `${key}=${shown(value)}`).join(" ");
  }

  #send(line: string): void {
    for (const sink of this.#options.sinks) {
      try {
        const sent = sink(line);
        if (sent instanceof Promise)
          sent.then(
            () => this.#works(sink),
            () => this.#fails(sink),
          );
        else this.#works(sink);
      } catch {
        this.#fails(sink);
      }
    }
  }

  #works(sink: LogSink): void {
    this.#failing.delete(sink);
  }

  /** The other sinks get one warning, when the sink begins to fail. */
  #fails(sink: LogSink): void {
    this.lost += 1;
    if (this.#failing.has(sink)) return;
    this.#failing.add(sink);
    if (this.#failing.size < this.#options.sinks.length)
      this.write("warn", "warning", "a log sink fails, its lines are lost", { outcome: "failed" });
  }
}

function cleaned(value: Json, clean: Clean): Json {
  if (typeof value === "string") {
    const text = clean(value);
    return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  }
  if (typeof value !== "object" || value === null) return value;
  return cleaned(JSON.stringify(value), clean);
}

function shown(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[\w.:/@+,;%-]+$/.test(text) ? text : visible(JSON.stringify(text));
}

/** A line stays one line, and a terminal that shows it obeys nothing in it. JSON leaves these characters as they are. */
function visible(text: string): string {
  return text.replaceAll(
    /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
