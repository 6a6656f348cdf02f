import type { WireMessage } from "../../rpc/message.ts";
import type { Transport, TransportSink } from "../../rpc/transport.ts";
import type { FaultKind, FaultPlan } from "./faults.ts";

const HUGE = 8 * 1024 * 1024;
/** So many lines overtake an answer that comes late. */
const OVERTAKING = 4;

/** The server's end of a channel on which things go wrong. */
export class FaultyTransport implements Transport {
  readonly #inner: Transport;
  readonly #plan: FaultPlan;
  readonly #crash: () => void;
  /** Methods of the requests that wait for their answers, by id. */
  readonly #asked = new Map<number | string, string>();
  readonly #late: { line: string; after: number }[] = [];
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #stalled = false;

  /** `crash` ends the server. */
  constructor(inner: Transport, plan: FaultPlan, crash: () => void) {
    this.#inner = inner;
    this.#plan = plan;
    this.#crash = crash;
  }

  open(sink: TransportSink): void {
    this.#inner.open({
      line: (text) => this.#read(text, sink),
      closed: (reason) => {
        for (const timer of this.#timers) clearTimeout(timer);
        sink.closed(reason);
      },
    });
  }

  async send(text: string): Promise<void> {
    if (this.#stalled) return;
    const message = JSON.parse(text) as WireMessage;
    if (message.method !== undefined) return await this.#tell(text, message.method);
    const method = this.#asked.get(message.id ?? "") ?? "";
    this.#asked.delete(message.id ?? "");
    await this.#answer(text, method);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #read(text: string, sink: TransportSink): void {
    if (this.#stalled) return;
    const { id, method } = parsed(text);
    if (method === undefined || id === undefined) return sink.line(text);
    for (const fault of this.#plan.due(method, (kind) => MEETS_REQUEST.has(kind))) {
      if (fault === "crash") return this.#crash();
      if (fault === "stall") return this.#stall();
      if (fault === "overload") {
        const error = { code: -32001, message: "Server overloaded; retry later." };
        return void this.#inner.send(JSON.stringify({ error, id })).catch(() => {});
      }
    }
    this.#asked.set(id, method);
    sink.line(text);
  }

  /** A notification, or a request of the server's. */
  async #tell(text: string, method: string): Promise<void> {
    const due = this.#plan.due(method, (kind) => typeof kind === "string" && kind !== "overload");
    await this.#before(due);
    if (!due.includes("missing")) await this.#write(text);
    if (due.includes("duplicate")) await this.#write(text);
    if (due.includes("stall")) this.#stall();
    if (due.includes("crash")) this.#crash();
  }

  async #answer(text: string, method: string): Promise<void> {
    const due = this.#plan.due(method, (kind) => !MEETS_REQUEST.has(kind));
    await this.#before(due);
    const delay = due.find((kind) => typeof kind === "object");
    if (due.includes("missing")) return;
    if (due.includes("earlyEvents")) return void this.#late.push({ line: text, after: OVERTAKING });
    if (delay) {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        void this.#write(text).catch(() => {});
      }, delay.delayMs);
      this.#timers.add(timer);
      return;
    }
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
    for (const late of this.#late.splice(0)) {
      if (--late.after > 0) this.#late.push(late);
      else await this.#inner.send(late.line);
    }
  }

  #stall(): void {
    this.#stalled = true;
  }
}

const MEETS_REQUEST: ReadonlySet<FaultKind> = new Set<FaultKind>(["crash", "stall", "overload"]);

function parsed(text: string): WireMessage {
  try {
    return (JSON.parse(text) ?? {}) as WireMessage;
  } catch {
    return {};
  }
}
