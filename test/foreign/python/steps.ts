import { isJsonObject } from "codexwright/internal";
import type { Gate, ModelScript } from "@codexwright/testing";

export type Json = Readonly<Record<string, unknown>>;

/** A request. A text `{name}` in its parameters stands for the value that was kept under this name. */
export interface CallStep {
  readonly call: string;
  readonly params: Json;
  /** Values of the answer to keep: the path of each by its name. */
  readonly keep?: Readonly<Record<string, string>>;
  /** The members of the answer that the example reads. */
  readonly answer?: Json;
  /** The code of the error with which the engine refuses it. */
  readonly refused?: string;
  /** Chooses more values to keep from the answer, as the example does. */
  readonly choose?: (answer: Json) => Readonly<Record<string, string>>;
}

/** Reads the notifications of a turn until it ends, like `stream()` and `run()` of the client. */
export interface TurnStep {
  /** The name under which the id of the turn was kept. */
  readonly turn: string;
  readonly status: "completed" | "interrupted";
  /** The text of its last message. */
  readonly text?: string;
}

/** Waits for a notification, and checks these members of it. */
export interface ToldStep {
  readonly told: string;
  /** Which of the notifications with this method; default the first. */
  readonly count?: number;
  readonly params: Json;
}

/** Lets the model continue. */
export interface OpenStep {
  readonly open: Gate;
}

export type Step = CallStep | TurnStep | ToldStep | OpenStep;

/** An example: the answers of the model, and the steps in their order. */
export interface Example {
  readonly model: ModelScript;
  /** The lines that its user types. */
  readonly typed?: string;
  readonly steps: readonly Step[];
}

/** Replaces the texts of the form `{name}` inside of a value. */
export function filled(value: unknown, valueOf: (name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => filled(each, valueOf));
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, valueOf)]));
  const name = typeof value === "string" ? /^\{(\w+)\}$/.exec(value)?.[1] : undefined;
  return name === undefined ? value : valueOf(name);
}

const MODEL = { model: "gpt-5.4", config: { model_reasoning_effort: "high" } };

/** `thread_start()`: without another mode, the client lets the server review what asks for approval. */
export function threadStart(more: Json = MODEL): CallStep {
  return {
    call: "thread/start",
    params: { approvalPolicy: "on-request", approvalsReviewer: "auto_review", ...more },
    keep: { thread: "thread.id" },
  };
}

export function text(words: string): Json {
  return { type: "text", text: words };
}

/** `thread.turn()` */
export function turnStart(words: string, more: Json = {}): CallStep {
  return {
    call: "turn/start",
    params: { threadId: "{thread}", input: [text(words)], ...more },
    keep: { turn: "turn.id" },
  };
}

/** `thread.turn().run()`, with the text of the model's message. */
export function run(words: string, answer: string, more: Json = {}): Step[] {
  return [turnStart(words, more), { turn: "turn", status: "completed", text: answer }];
}
