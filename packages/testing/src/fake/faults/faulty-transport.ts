import { laneOf, Lanes, pause } from "codexwright/internal";
import type { WireMessage, Transport, TransportSink } from "codexwright/rpc";
import { EARLY_EVENTS } from "./fault-check.ts";
import type { FaultKind, FaultPlan } from "./faults.ts";

/**
 * An answer that the fault `earlyEvents` holds back is written after this time even if no events arrive, so that a
 * client that waits for the answer can continue.
 */
const LATEST_MS = 1_000;
const HUGE = 8 * 1024 * 1024;

/** The server's end of a channel with faults. */
export class FaultyTransport implements Transport {
  readonly #inner: Transport;
  readonly #plan: FaultPlan;
  readonly #crash: () => void;
  /** The methods of requests that wait for their answers, by id. */
  readonly #asked = new Map<number | string, string>();
  readonly #late = new Set<{ readonly line: string; after: number }>();
  /** Keeps requests from overtaking a late one. */
  readonly #lanes = new Lanes();
  readonly #closed = new AbortController();
  /** Lines that the server reads once it has started. */
  #starting: string[] | undefined;
  /** Settles when everything sent so far is written: a late line delays the lines after it. */
  #written: Promise<void> = Promise.resolve();
  #silent = false;

  /** @param crash ends the server */
  constructor(inner: Transport, plan: FaultPlan, crash: () => void) {
    this.#inner = inner;
    this.#plan = plan;
    this.#crash = crash;
  }

  open(sink: TransportSink): void {
    this.#inner.open({
      line: (text) => this.#read(text, sink),
      closed: (reason) => {
        this.#closed.abort();
        sink.closed(reason);
      },
    });
  }

  send(text: string): Promise<void> {
    return this.#inTurn(() => this.#send(text));
  }

  close(): Promise<void> {
    this.#closed.abort();
    return this.#inner.close();
  }

  #read(text: string, sink: TransportSink): void {
    if (this.#silent) return;
    if (this.#starting) return void this.#starting.push(text);
    const { id, method, params } = parsed(text);
    if (method === undefined || id === undefined) return sink.line(text);
    const due = this.#plan.due(method, meetsRequest);
    if (due.includes("crash")) return this.#die();
    if (due.includes("stall")) return void (this.#silent = true);
    if (due.includes("overload")) {
      const error = { code: -32001, message: "Server overloaded; retry later." };
      return void this.#inTurn(() => this.#write(JSON.stringify({ error, id }))).catch(() => {});
    }
    this.#asked.set(id, method);
    const delayMs = delayOf(due);
    if (method === "initialize" && delayMs !== undefined) return void this.#startLate(text, delayMs, sink);
    const pass = (): void => sink.line(text);
    this.#lanes.enter(laneOf(method, params, 0), this, (leave) => {
      if (delayMs !== undefined) void pause(delayMs, this.#closed.signal).then(pass).then(leave);
      else {
        pass();
        leave();
      }
    });
  }

  async #startLate(text: string, delayMs: number, sink: TransportSink): Promise<void> {
    this.#starting = [];
    await pause(delayMs, this.#closed.signal);
    sink.line(text);
    const waiting = this.#starting;
    this.#starting = undefined;
    for (const line of waiting) this.#read(line, sink);
  }

  /** Writes after everything that was sent before. */
  #inTurn(write: () => Promise<void>): Promise<void> {
    const written = this.#written.then(write);
    this.#written = written.catch(() => {});
    return written;
  }

  async #send(text: string): Promise<void> {
    if (this.#silent) return;
    const message = JSON.parse(text) as WireMessage;
    if (message.method !== undefined) return await this.#tell(text, message.method);
    const method = this.#asked.get(message.id ?? "") ?? "";
    this.#asked.delete(message.id ?? "");
    await this.#answer(text, method, message.error !== undefined);
  }

  /** Sends a notification or a server request. */
  async #tell(text: string, method: string): Promise<void> {
    const due = this.#plan.due(method, () => true);
    const delayMs = delayOf(due);
    if (delayMs !== undefined) await pause(delayMs, this.#closed.signal);
    await this.#before(due);
    if (!due.includes("missing")) await this.#write(text);
    if (due.includes("duplicate")) await this.#write(text);
    if (due.includes("stall")) this.#silent = true;
    if (due.includes("crash")) this.#die();
  }

  async #answer(text: string, method: string, isError: boolean): Promise<void> {
    const due = this.#plan.due(method, (kind) => !meetsRequest(kind));
    await this.#before(due);
    if (due.includes("missing")) return;
    // No events follow a rejection.
    if (due.includes("earlyEvents") && !isError) return void this.#writeLate(text, EARLY_EVENTS[method] ?? 0);
    await this.#write(text);
    if (due.includes("duplicate")) await this.#write(text);
  }

  async #before(due: readonly FaultKind[]): Promise<void> {
    if (due.includes("badLine")) await this.#inner.send("this is not JSON {");
    if (due.includes("hugeLine")) {
      const params = { threadId: null, message: "x".repeat(HUGE) };
      await this.#inner.send(JSON.stringify({ method: "warning", params, emittedAtMs: Date.now() }));
    }
  }

  async #write(text: string): Promise<void> {
    await this.#inner.send(text);
    for (const late of this.#late) {
      if (--late.after > 0 || !this.#late.delete(late)) continue;
      await this.#inner.send(late.line);
    }
  }

  async #writeLate(line: string, after: number): Promise<void> {
    const late = { line, after };
    this.#late.add(late);
    await pause(LATEST_MS, this.#closed.signal);
    if (!this.#late.delete(late) || this.#silent || this.#closed.signal.aborted) return;
    await this.#inTurn(() => this.#inner.send(line)).catch(() => {});
  }

  /** Drops everything that is waiting to be written. */
  #die(): void {
    this.#silent = true;
    this.#crash();
  }
}

/** Whether a fault applies when a request arrives. The other faults apply to its answer. */
function meetsRequest(kind: FaultKind): boolean {
  return typeof kind === "object" || kind === "crash" || kind === "stall" || kind === "overload";
}

/** The total delay of a message, which may have several. */
function delayOf(due: readonly FaultKind[]): number | undefined {
  const delays = due.flatMap((kind) => (typeof kind === "object" ? [kind.delayMs] : []));
  return delays.length === 0 ? undefined : delays.reduce((sum, each) => sum + each, 0);
}

function parsed(text: string): WireMessage {
  try {
    return (JSON.parse(text) ?? {}) as WireMessage;
  } catch {
    return {};
  }
}
