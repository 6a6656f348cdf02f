import {
  AgentError,
  BudgetExceededError,
  BudgetMeter,
  Deadline,
  DeadlineExceededError,
  PromptOutputError,
} from "codexwright/agent";
import { CodexError } from "codexwright/client";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeClock } from "./plan.ts";
import { meaningOf } from "../../../src/agent/phase.ts";

verifies("agent.limits", "a deadline uses an injectable clock", () => {
  const clock = fakeClock(1000);
  const deadline = new Deadline(500, clock);
  expect([deadline.at, deadline.remainingMs(), deadline.expired]).toEqual([1500, 500, false]);
  clock.advance(501);
  expect([deadline.remainingMs(), deadline.expired]).toEqual([-1, true]);
});

verifies("agent.limits", "recording usage takes constant time, however many threads share a meter", () => {
  const meter = new BudgetMeter({ totalTokens: 100_000 });
  // Adding up all threads each time would take minutes.
  let exceeded = 0;
  for (let thread = 0; thread < 20_000; thread++) {
    meter.record(`${thread}`, { inputTokens: 1, outputTokens: 1, totalTokens: 2 });
    if (meter.exceeded()) exceeded++;
  }
  expect(exceeded).toBe(0);
  expect(meter.used).toEqual({ inputTokens: 20_000, outputTokens: 20_000, totalTokens: 40_000 });
});

verifies(
  "agent.limits",
  "a budget sums the tokens of its threads, and one token more than the budget exceeds it",
  () => {
    const meter = new BudgetMeter({ outputTokens: 10, totalTokens: 100 });
    meter.record("a", { inputTokens: 30, outputTokens: 5, totalTokens: 35 });
    meter.record("a", { inputTokens: 40, outputTokens: 6, totalTokens: 46 });
    meter.record("b", { inputTokens: 50, outputTokens: 4, totalTokens: 54 });
    expect(meter.used).toEqual({ inputTokens: 90, outputTokens: 10, totalTokens: 100 });
    expect(meter.exceeded()).toBeUndefined();
    meter.record("b", { inputTokens: 50, outputTokens: 5, totalTokens: 55 });
    const error = meter.exceeded();
    expect(error).toBeInstanceOf(BudgetExceededError);
    expect(error).toMatchObject({
      code: "budget_exceeded",
      phase: "budget",
      dimension: "outputTokens",
      limit: 10,
    });
    expect(() => new BudgetMeter({})).toThrow("at least one");
    expect(() => new BudgetMeter({ totalTokens: 0 })).toThrow("budget.totalTokens");
  },
);

const PHASES = [
  ["agent.R93", "contextWindowExceeded", "response"],
  ["agent.R94", "usageLimitExceeded", "budget"],
  ["agent.R95", { httpConnectionFailed: { httpStatusCode: null } }, "request"],
  ["agent.R96", "unauthorized", "request"],
  ["agent.R97", "badRequest", "request"],
  ["agent.R98", "sandboxError", "tool"],
  ["agent.R99", { responseTooManyFailedAttempts: { httpStatusCode: 500 } }, "request"],
  ["agent.R100", { responseStreamConnectionFailed: { httpStatusCode: null } }, "request"],
  ["agent.R101", { responseStreamDisconnected: { httpStatusCode: null } }, "request"],
  ["agent.R102", "threadRollbackFailed", "response"],
  ["agent.R103", "internalServerError", "response"],
  ["agent.R104", "modelCap", "budget"],
] as const;

for (const [id, info, phase] of PHASES) {
  verifies(
    id,
    `${typeof info === "string" ? info : Object.keys(info).join()} belongs to phase ${phase}`,
    () => {
      expect(meaningOf(info).phase).toBe(phase);
    },
  );
}

verifies("agent.R105", "every other error belongs to phase response, whatever its shape", () => {
  const others = ["other", "cyberPolicy", "toString", "(unknown)", {}, null, undefined, 5, { newKind: 1 }];
  expect(others.map((info) => meaningOf(info).phase)).toEqual(others.map(() => "response"));
});

verifies("agent.R92", "newer errors have phases too, and report whether a retry may help", () => {
  expect(meaningOf("sessionBudgetExceeded")).toMatchObject({ phase: "budget", retryable: false });
  expect(meaningOf("modelNotFound")).toMatchObject({ phase: "request", retryable: false });
  for (const info of [
    "rateLimitExceeded",
    "serverOverloaded",
    "policyCapacityUnavailable",
    "flexUnavailable",
  ]) {
    expect(meaningOf(info)).toMatchObject({ info, phase: "request", retryable: true });
  }
  expect(meaningOf({ type: "sandboxError" })).toMatchObject({ info: "sandboxError", phase: "tool" });
  expect(meaningOf({ anything: { httpStatusCode: 429 } })).toMatchObject({
    phase: "request",
    retryable: true,
    httpStatus: 429,
  });
  expect(meaningOf({ anything: { httpStatusCode: 401 } })).toMatchObject({
    phase: "request",
    retryable: false,
  });
});

verifies("agent.R92", "errors of a run are CodexErrors with a phase and a literal code", () => {
  const cause = new Error("below");
  const error = new AgentError("turn_failed", "tool", "message", {
    cause,
    retryable: true,
    promptId: "demo/x",
  });
  expect(error).toBeInstanceOf(CodexError);
  expect(error).toMatchObject({
    code: "turn_failed",
    phase: "tool",
    cause,
    retryable: true,
    promptId: "demo/x",
  });
  expect(new DeadlineExceededError(500, "the tool lookup")).toMatchObject({
    message: "the deadline of 500 ms passed during the tool lookup",
    deadlineMs: 500,
    during: "the tool lookup",
    name: "DeadlineExceededError",
    code: "deadline_exceeded",
    phase: "request",
    retryable: false,
  });
  const invalid = new PromptOutputError("bad", "{", [{ path: "a", message: "b" }]);
  expect(invalid).toMatchObject({ code: "output_invalid", phase: "response", raw: "{" });
});
