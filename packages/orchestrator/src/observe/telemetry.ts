import {
  metrics,
  SpanStatusCode,
  trace,
  type Attributes,
  type Counter,
  type Histogram,
  type Meter,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import type { Claim, ClaimState } from "../domain/claim.ts";
import type { Snapshot } from "../domain/snapshot.ts";
import type { Tokens } from "../domain/tokens.ts";

const NAME = "codexwright.fleet";
const STATES: readonly ClaimState[] = ["queued", "running", "retrying", "blocked"];

/** Spans and metrics, through the providers that the program has set. Attributes never hold prompts or outputs. */
export class Telemetry {
  readonly #tracer: Tracer;
  readonly #counters: Readonly<Record<"retries" | "blocked" | "lost" | "requests" | "tokens", Counter>>;
  readonly #durations: Readonly<Record<"dispatch" | "run" | "tick", Histogram>>;
  #snapshot: Snapshot | undefined;
  #running: () => number = () => 0;

  constructor(scope: string) {
    this.#tracer = trace.getTracer(NAME);
    const meter = metrics.getMeter(NAME);
    const counter = (name: string, description: string, unit = "1"): Counter =>
      meter.createCounter(`${NAME}.${name}`, { description, unit });
    const seconds = (name: string, description: string): Histogram =>
      meter.createHistogram(`${NAME}.${name}`, { description, unit: "s" });
    this.#counters = {
      retries: counter("retries", "retries that were scheduled"),
      blocked: counter("blocked", "issues that began to wait for a person"),
      lost: counter("lease.lost", "runs that lost their lease"),
      requests: counter("tracker.requests", "calls of the tracker"),
      tokens: counter("tokens", "tokens of runs that have ended", "{token}"),
    };
    this.#durations = {
      dispatch: seconds("dispatch.delay", "from the claim to the start of its run"),
      run: seconds("run.duration", "length of runs"),
      tick: seconds("tick.duration", "length of ticks"),
    };
    this.#observe(meter, scope);
  }

  #observe(meter: Meter, scope: string): void {
    const gauge = (name: string, description: string): ReturnType<Meter["createObservableGauge"]> =>
      meter.createObservableGauge(`${NAME}.${name}`, { description });
    gauge("agents.running", "agents that run in this process").addCallback((result) =>
      result.observe(this.#running(), { scope }),
    );
    gauge("claims", "claims by state, at the last tick").addCallback((result) => {
      const claims: readonly Claim[] = this.#snapshot?.claims ?? [];
      for (const state of STATES)
        result.observe(claims.filter((claim) => claim.state === state).length, { scope, state });
    });
  }

  /** Supplies the number of agents of this process. */
  counts(running: () => number): void {
    this.#running = running;
  }

  /** Supplies the claims. */
  saw(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
  }

  retried(kind: string): void {
    this.#counters.retries.add(1, { kind });
  }

  wasBlocked(reason: string): void {
    this.#counters.blocked.add(1, { reason });
  }

  leaseLost(): void {
    this.#counters.lost.add(1);
  }

  requested(operation: string, outcome: "ok" | "error"): void {
    this.#counters.requests.add(1, { operation, outcome });
  }

  ran(run: {
    readonly seconds: number;
    readonly outcome: string;
    readonly tokens: Tokens;
    readonly model: string | null;
  }): void {
    this.#durations.run.record(run.seconds, { outcome: run.outcome });
    const model = run.model ?? "unknown";
    this.#counters.tokens.add(run.tokens.inputTokens, { kind: "input", model });
    this.#counters.tokens.add(run.tokens.outputTokens, { kind: "output", model });
  }

  dispatched(seconds: number): void {
    this.#durations.dispatch.record(seconds);
  }

  ticked(seconds: number, outcome: string): void {
    this.#durations.tick.record(seconds, { outcome });
  }

  /** Runs `work` in a span that ends with it. A failure becomes the status of the span, without its text. */
  async span<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T> {
    return await this.#tracer.startActiveSpan(`${NAME}.${name}`, { attributes }, async (span) => {
      try {
        return await work(span);
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute("error.type", typeOf(error));
        throw error;
      } finally {
        span.end();
      }
    });
  }

  /** Starts a span that the caller ends. */
  begin(name: string, attributes: Attributes): Span {
    return this.#tracer.startSpan(`${NAME}.${name}`, { attributes });
  }
}

function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
