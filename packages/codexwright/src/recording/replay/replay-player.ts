import { isJsonObject } from "../../rpc/json.ts";
import type { RequestId } from "../../rpc/message.ts";
import { Classifier, type Classified } from "../exchanges.ts";
import type { RecordedEntry } from "../format.ts";
import { Redactor } from "../../redact/redactor.ts";
import { ReplayEnd } from "./replay-end.ts";
import { ReplayMismatchError, type MismatchReason } from "./replay-error.ts";
import type { Bindings } from "./replay-match.ts";

/** An entry of the recording with its line number. */
export interface Numbered {
  readonly entry: RecordedEntry;
  readonly line: number;
}

interface Step extends Numbered {
  readonly message: Classified | undefined;
  /** True when the client has sent this message. */
  arrived: boolean;
}

interface PlayerOptions {
  readonly connection: number;
  readonly bindings: Bindings;
  readonly stallMs: number;
  /** Called when everything recorded has been replayed. */
  finished(): void;
  failed(error: ReplayMismatchError): void;
}

type Wire = Readonly<Record<string, unknown>>;

/**
 * Replays the server's side of one connection. Sends each recorded message when all client messages that were
 * recorded before it have arrived.
 */
export class ReplayPlayer {
  readonly end: ReplayEnd;
  readonly #options: PlayerOptions;
  readonly #steps: readonly Step[];
  /** Maps recorded request ids to the client's ids. */
  readonly #ids = new Map<RequestId, RequestId>();
  /** The client's unanswered requests, by the client's own ids. */
  readonly #open = new Map<RequestId, Wire>();
  #at = 0;
  #over = false;
  #stall: ReturnType<typeof setTimeout> | undefined;

  constructor(entries: readonly Numbered[], options: PlayerOptions) {
    this.#options = options;
    const classifier = new Classifier();
    this.#steps = entries.map(({ entry, line }) => ({
      entry,
      line,
      message: "message" in entry ? classifier.classify(entry) : undefined,
      arrived: false,
    }));
    this.end = new ReplayEnd({
      line: (text) => this.#heard(text),
      closed: () => this.#left(),
    });
    this.#play();
  }

  /** The first recorded client message that the client has not sent yet. */
  get missing(): Numbered | undefined {
    return this.#steps.find((step) => isOut(step) && !step.arrived);
  }

  /** Ends the connection if it is still open. */
  stop(): void {
    this.#finish();
    this.end.end({ message: "the replay has ended" });
  }

  #heard(text: string): void {
    if (this.#over) return;
    const actual = parsed(text);
    const step = this.#steps.find(
      (each) => isOut(each) && !each.arrived && this.#matches(each, actual ?? text),
    );
    if (!step) {
      if (actual?.["method"] !== undefined && isId(actual["id"])) this.#open.set(actual["id"], actual);
      return this.#fail("unexpected", this.#nearest(actual), actual ?? text);
    }
    step.arrived = true;
    const { message } = step;
    if (message?.kind === "request" && actual && isId(actual["id"])) {
      if (message.id !== undefined) this.#ids.set(message.id, actual["id"]);
      this.#open.set(actual["id"], actual);
    }
    this.#play();
  }

  #matches({ entry, message }: Step, actual: Wire | string): boolean {
    if (typeof actual === "string") return "text" in entry && entry.text === actual;
    if (!message) return false;
    const { id } = actual;
    // A response must have the same id as the server request. The ids of client requests may differ from the recorded
    // ones.
    if (message.kind === "response" ? message.id !== id : (message.kind === "request") !== isId(id))
      return false;
    return this.#options.bindings.matches(message.entry.message, actual);
  }

  #play(): void {
    clearTimeout(this.#stall);
    for (; this.#at < this.#steps.length; this.#at++) {
      const step = this.#steps[this.#at];
      if (!step || (isOut(step) && !step.arrived)) break;
      this.#perform(step);
      if (this.#over) return;
    }
    if (this.#at === this.#steps.length) this.#options.finished();
    // The timer also runs at the end of the recording, because a client that stays connected may wait for a message
    // that was never recorded.
    if (this.#options.stallMs > 0) this.#stall = setTimeout(() => this.#stalled(), this.#options.stallMs);
  }

  #perform({ entry, message }: Step): void {
    if ("closed" in entry) {
      // If the client disconnected in the recording, wait until it disconnects again.
      if (entry.closed.by === "client") return;
      const { by: _, ...reason } = entry.closed;
      this.#at = this.#steps.length;
      this.#options.finished();
      this.#finish();
      return this.end.end(reason);
    }
    if (entry.direction === "out") return;
    if ("text" in entry) return this.end.say(entry.text);
    const { bindings } = this.#options;
    if (message?.kind !== "response") return this.end.say(JSON.stringify(bindings.translate(entry.message)));
    const id = message.id === undefined ? undefined : this.#ids.get(message.id);
    // The client has not sent this request, so do not send the response. The client could take a response with the
    // recorded id for the answer to another request.
    if (id === undefined || !this.#open.delete(id)) return;
    this.end.say(JSON.stringify({ ...(bindings.translate(entry.message) as Wire), id }));
  }

  /**
   * Called when the client has closed the connection. The client's requests may still be unanswered, but it must have
   * sent all recorded messages.
   */
  #left(): void {
    if (this.#over) return;
    const { missing } = this;
    if (missing) return this.#fail("missing", missing, undefined);
    this.#finish();
  }

  #stalled(): void {
    const { missing } = this;
    const [open] = this.#open.values();
    if (missing) this.#fail("missing", missing, undefined);
    else this.#fail("unanswered", undefined, open);
  }

  #fail(reason: MismatchReason, expected: Numbered | undefined, actual: Wire | string | undefined): void {
    const { connection, bindings } = this.#options;
    const redactor = new Redactor(bindings.secrets, process.env);
    const clean = typeof actual === "object" ? redactor.message(connection, "out", actual) : actual;
    const line = (expected ?? this.#steps[this.#at] ?? this.#steps.at(-1))?.line ?? 1;
    const recorded = expected && bodyOf(expected.entry);
    const error = new ReplayMismatchError(
      reason,
      { connection, line },
      {
        ...(recorded !== undefined && { expected: recorded }),
        ...(clean !== undefined && {
          actual: typeof clean === "string" ? redactor.text(clean, "own") : clean,
        }),
      },
      new Map(this.#steps.flatMap(({ message }) => asked(message))),
    );
    // Answer the pending requests with this error, so that they reject with the reason and not only with a closed
    // connection.
    for (const id of this.#open.keys())
      this.end.say(JSON.stringify({ id, error: { code: -32_000, message: error.message } }));
    this.#finish();
    this.#options.failed(error);
    this.end.end({ message: error.message, cause: error });
  }

  #finish(): void {
    this.#over = true;
    clearTimeout(this.#stall);
  }

  /**
   * Returns the recorded message that is closest to the client's message: the first with the same method, or else the
   * first.
   */
  #nearest(actual: Wire | undefined): Step | undefined {
    const left = this.#steps.filter((step) => isOut(step) && !step.arrived);
    const alike = left.find(({ message }) => {
      if (!message || !actual) return false;
      const { method, id } = message.entry.message;
      return method === undefined
        ? actual["method"] === undefined && id === actual["id"]
        : method === actual["method"];
    });
    return alike ?? left[0];
  }
}

function isOut({ entry }: Numbered): boolean {
  return "direction" in entry && entry.direction === "out";
}

/** Returns the id and the method of a server request. */
function asked(message: Classified | undefined): [unknown, string][] {
  if (message?.kind !== "request" || message.entry.direction === "out") return [];
  return [[message.id, message.method ?? ""]];
}

function isId(id: unknown): id is RequestId {
  return typeof id === "number" || typeof id === "string";
}

function bodyOf(entry: RecordedEntry): unknown {
  if ("message" in entry) return entry.message;
  return "text" in entry ? entry.text : undefined;
}

function parsed(text: string): Wire | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
