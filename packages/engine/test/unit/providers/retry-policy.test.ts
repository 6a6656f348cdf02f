import { expect } from "vitest";
import { ModelError, type ModelErrorDetails } from "@codexwright/engine";
import { RetryPolicy } from "@codexwright/engine/internal";
import { verifies } from "@codexwright/test-support/verifies";

const LIMITS = { requests: 2, streams: 3, connections: 6, delayMs: 200 };

/** The repetitions after a request that always fails in this way, such as "request 200". */
function repetitions(details: ModelErrorDetails, limits: Partial<typeof LIMITS> = {}): string[] {
  const policy = new RetryPolicy({ ...LIMITS, ...limits }, () => 0.5);
  const all: string[] = [];
  for (;;) {
    const next = policy.next(new ModelError("it failed", details));
    if (!next) return all;
    all.push(`${next.kind} ${next.waitMs}`);
    if (all.length > 100) throw new Error("it never ends");
  }
}

verifies("engine.provider.retries", "decides by the kind of the failure", () => {
  const twice = ["request 200", "request 400"];
  const broken = ["stream 200", "stream 400", "stream 800"];
  // A response that is repeated begins with a new request, which may be repeated too.
  const both = [...twice, "stream 200", ...twice, "stream 400", ...twice, "stream 800", ...twice];
  for (const status of [500, 502, 503, 504, 408]) {
    expect([status, repetitions({ phase: "status", status })]).toEqual([status, both]);
  }
  expect(repetitions({ phase: "stream", lost: true })).toEqual(both);
  expect(repetitions({ phase: "status", status: 503, reason: "server_is_overloaded" })).toEqual(twice);
  expect(repetitions({ phase: "status", status: 429 })).toEqual(twice);
  expect(repetitions({ phase: "status", status: 429, reason: "usage_limit_reached" })).toEqual([]);
  for (const status of [300, 302, 400, 401, 402, 403, 404, 409, 422]) {
    expect([status, repetitions({ phase: "status", status })]).toEqual([status, []]);
  }
  expect(repetitions({ phase: "stream" })).toEqual(broken);
  for (const reason of ["rate_limit_exceeded", "slow_down", "server_error", "not_a_stream"]) {
    expect(repetitions({ phase: "stream", reason })).toEqual(broken);
  }
  for (const reason of [
    "context_length_exceeded",
    "cyber_policy",
    "incomplete",
    "insufficient_quota",
    "invalid_prompt",
    "server_is_overloaded",
    "usage_not_included",
  ]) {
    expect(repetitions({ phase: "stream", reason })).toEqual([]);
  }
  expect(repetitions({ phase: "stream", final: true })).toEqual([]);
  expect(repetitions({ phase: "request" })).toEqual([]);
});

verifies("engine.provider.retries", "waits longer and longer for a network", () => {
  const waits = [5, 10, 20, 40, 60, 60].map((seconds) => `connection ${seconds}000`);
  expect(repetitions({ phase: "connect" })).toEqual(["request 200", "request 400", ...waits]);
  expect(repetitions({ phase: "connect" }, { connections: 0, requests: 0 })).toEqual([
    "stream 200",
    "stream 400",
    "stream 800",
  ]);
});

verifies("engine.provider.retries", "waits as long as the server asks, but at most a minute", () => {
  for (const [asked, waited] of [
    [0, 0],
    [1_500, 1_500],
    [60_001, 60_000],
    [1e300, 60_000],
    [-5, 0],
    [Number.NaN, 200],
  ] as const) {
    const limits = { requests: 1, streams: 0 };
    expect(repetitions({ phase: "status", status: 429, retryAfterMs: asked }, limits)).toEqual([
      `request ${waited}`,
    ]);
  }
  const many = new RetryPolicy({ ...LIMITS, streams: 2_000 }, () => 0.999);
  for (let n = 0; n < 2_000; n++) {
    const next = many.next(new ModelError("it failed", { phase: "stream" }));
    expect(next?.waitMs).toBeLessThanOrEqual(60_000);
  }
});

verifies("engine.provider.retries", "begins anew after a response that completed", () => {
  const policy = new RetryPolicy(LIMITS, () => 0);
  const fail = (): number | undefined => policy.next(new ModelError("x", { phase: "stream" }))?.waitMs;
  expect([fail(), fail(), fail(), fail()]).toEqual([180, 360, 720, undefined]);
  policy.reset();
  expect(fail()).toBe(180);
});
