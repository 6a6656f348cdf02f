import { readFileSync } from "node:fs";
import path from "node:path";
import { metrics, trace, type Attributes, type Meter, type Span, type Tracer } from "@opentelemetry/api";
import { afterAll, afterEach, beforeEach, describe, expect } from "vitest";
import { memoryTracker, NO_TOKENS, Telemetry, type TrackerKind } from "@codexwright/orchestrator/internal";
import { verifies } from "../../../../test-support/src/verifies.ts";
import { claimIn, FleetWorld, removeTemplate } from "../../support/fleet-world.ts";

interface Sent {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
}

let spans: (Sent & { isEnded: boolean })[] = [];
let measured: (Sent & { value: number })[] = [];
let gauges: { name: string; look: (result: { observe: (value: number, at: Attributes) => void }) => void }[] =
  [];

/** Providers that keep what they receive, as those of an SDK do. */
function register(): void {
  const begin = (name: string, { attributes = {} }: { attributes?: Attributes } = {}): Span => {
    const sent = { name, attributes: { ...attributes } as Record<string, unknown>, isEnded: false };
    spans.push(sent);
    const span = {
      setAttribute: (key: string, value: unknown) => ((sent.attributes[key] = value), span),
      setAttributes: (values: Attributes) => (Object.assign(sent.attributes, values), span),
      setStatus: (status: object) => (Object.assign(sent.attributes, status), span),
      end: () => void (sent.isEnded = true),
    };
    return span as unknown as Span;
  };
  const startActiveSpan = (name: string, options: object, work: (span: Span) => unknown): unknown =>
    work(begin(name, options));
  const tracer = { startSpan: begin, startActiveSpan } as unknown as Tracer;
  const instrument = (name: string) => {
    const take = (value: number, attributes: Attributes = {}): void =>
      void measured.push({ name, value, attributes });
    return { add: take, record: take };
  };
  const createObservableGauge = (name: string) => ({
    addCallback: (look: (typeof gauges)[number]["look"]) => void gauges.push({ name, look }),
  });
  const meter = { createCounter: instrument, createHistogram: instrument, createObservableGauge };
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  metrics.setGlobalMeterProvider({ getMeter: () => meter as unknown as Meter });
}

/** Returns the spans and the values of metrics that an exporter would send now. */
function collected(): Sent[] {
  const seen: Sent[] = [];
  for (const { name, look } of gauges)
    look({ observe: (value, at) => void seen.push({ name, attributes: { ...at, value } }) });
  return [...spans, ...measured, ...seen];
}

function valuesOf(name: string): unknown[] {
  return collected()
    .filter((each) => each.name === `codexwright.fleet.${name}`)
    .map(({ attributes }) => attributes);
}

const PRIVATE = "PRIVATE-4711";

describe("the telemetry of a fleet", () => {
  beforeEach(() => {
    [spans, measured, gauges] = [[], [], []];
    register();
  });
  afterEach(() => {
    trace.disable();
    metrics.disable();
  });
  afterAll(removeTemplate);

  verifies("fleet.observe.telemetry", "has the metrics of the documentation, and no others", () => {
    const telemetry = new Telemetry("s");
    telemetry.counts(() => 3);
    telemetry.retried("failure");
    telemetry.wasBlocked("question");
    telemetry.leaseLost();
    telemetry.requested("by_ids", "error");
    telemetry.dispatched(1);
    telemetry.ticked(2, "done");
    const tokens = { ...NO_TOKENS, inputTokens: 5, outputTokens: 7 };
    telemetry.ran({ seconds: 1, outcome: "completed", tokens, model: "m" });
    expect(valuesOf("agents.running")).toEqual([{ scope: "s", value: 3 }]);
    const counted = measured.filter(({ name }) => name.endsWith(".tokens"));
    expect(counted.map(({ value, attributes }) => [value, attributes])).toEqual([
      [5, { kind: "input", model: "m" }],
      [7, { kind: "output", model: "m" }],
    ]);
    const page = readFileSync(path.resolve(import.meta.dirname, "../../../../../docs/cli/fleet.md"), "utf8");
    const rows = [...page.matchAll(/^\| `(codexwright\.fleet\.[\w.]+)` *\| \w+ *\|([^|]*)\|/gm)];
    const documented = rows.map(([, name, keys = ""]) => [name, [...keys.matchAll(/\w+/g)].flat()]);
    const sent = new Map(collected().map(({ name, attributes }) => [name, attributes]));
    const keysOf = (attributes: object): string[] => Object.keys(attributes).filter((key) => key !== "value");
    expect(Object.fromEntries(documented)).toEqual(
      Object.fromEntries([...sent].map(([name, attributes]) => [name, keysOf(attributes)])),
    );
  });

  verifies(
    ["fleet.observe.telemetry", "fleet.observe.private"],
    "has a span for each piece of work of a fleet, without its texts",
    async () => {
      await using world = await FleetWorld.open(
        [{ identifier: PRIVATE, title: PRIVATE, description: PRIVATE, state: "Todo", labels: [PRIVATE] }],
        "agent:\n  max_attempts: 1\n",
      );
      const memory = memoryTracker(world.issues);
      const kind: TrackerKind = {
        ...memory,
        open: async (config) => {
          const tracker = await memory.open(config);
          const fail = async (): Promise<unknown> => await Promise.reject(new Error(PRIVATE));
          const tools = () => [{ name: "issue_update", description: "", run: fail } as never];
          return Object.assign(tracker, { tools });
        },
      };
      const fleet = await world.start({ kinds: [kind] });
      const run = await world.run(0);
      const { task, observer } = run;
      for (const event of ["hook.started", "hook.ended", "turn.started"] as const)
        observer.event({ event, message: PRIVATE, data: { output: PRIVATE } });
      observer.heard("message", PRIVATE);
      const [tool] = task.tracker.tools(task.claim.issue);
      await expect(tool?.run({ text: PRIVATE } as never, {} as never)).rejects.toThrow(PRIVATE);
      run.end({ kind: "failed", code: "turn_failed", message: PRIVATE });
      await claimIn(fleet, task.claim.issueId, "blocked");
      await fleet.close();
      const names = new Set(spans.map(({ name }) => name.replace("codexwright.fleet.", "")));
      expect([...names].toSorted()).toEqual(["hook", "run", "tick", "tool", "tracker", "turn"]);
      expect(spans.filter(({ isEnded }) => !isEnded)).toEqual([]);
      expect(valuesOf("tool")).toEqual([{ tool: "issue_update", code: 2, "error.type": "Error" }]);
      expect(valuesOf("run")).toMatchObject([{ outcome: "failed: turn_failed" }]);
      expect(valuesOf("run.duration")).toEqual([{ outcome: "failed: turn_failed" }]);
      expect(valuesOf("blocked")).toEqual([{ reason: "max_attempts" }]);
      expect(valuesOf("tracker.requests")).toContainEqual({ operation: "by_states", outcome: "ok" });
      expect(JSON.stringify(collected())).not.toContain(PRIVATE);
    },
  );
});
