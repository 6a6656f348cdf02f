import type { ApiState } from "@codexwright/orchestrator/cli";
import fc from "fast-check";
import stringWidth from "string-width";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { boardLines } from "../../../src/fleet/board.ts";
import { plain } from "../../../src/shared/style.ts";
import { hiddenIn, HOSTILE } from "../../support/tainted.ts";

const NOW = Date.parse("2026-02-24T20:15:30Z");
const TOKENS = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, total_tokens: 2 };

function stateWith(text: string): ApiState {
  const issue = {
    issue_id: text,
    issue_identifier: text,
    issue_url: text,
    title: text,
    state: text,
    attempt: 3,
    retry_kind: text,
  };
  const question = { kind: "input", text, method: text, params: null, asked_at: text };
  return {
    generated_at: text,
    counts: { running: 1, retrying: 1, blocked: 1, queued: 1 },
    running: [
      {
        ...issue,
        session_id: text,
        turn_count: 7,
        phase: text,
        host: text,
        model: text,
        last_event: text,
        last_message: text,
        started_at: "2026-02-24T20:10:12Z",
        last_event_at: text,
        tokens: TOKENS,
      },
    ],
    queued: [{ ...issue, since: text }],
    retrying: [{ ...issue, due_at: "2026-02-24T20:15:42Z", error: text, host: text }],
    blocked: [{ ...issue, since: text, reason: "question", message: text, question }],
    hosts: [],
    codex_totals: { ...TOKENS, seconds_running: 62 },
    today: { ...TOKENS, limit: 10 },
    rate_limits: { primary: { usedPercent: 50, resetsAt: null }, secondary: text },
    paused: { by: text, reason: text, at: text },
    draining: true,
    waiting: { until: text, why: text },
    tick: { host: text, at: text, polled_at: text, error: text },
    workflow: { path: text, version: text, error: text },
    max_concurrent_agents: 10,
  };
}

verifies("fleet.cli.status", "ages count up, retries count down, and the budget is a bar", () => {
  const lines = boardLines(stateWith("x"), { style: plain(), width: 200, isTerminal: true, now: NOW });
  const text = lines.join("\n");
  expect(text).toContain("today 2 of 10 ██░░░░░░░░ 20% tokens, in total 2 tokens in 1m 2s");
  expect(text).toContain("limit █████░░░░░ 50%");
  expect(text).toMatch(/^x +5m 18s +7 +2 +x +x +x: x$/m);
  expect(text).toMatch(/^x +12s +3 /m);
  expect(text).toMatch(/an answer: x$/m);
  const later = boardLines(stateWith("x"), {
    style: plain(),
    width: 200,
    isTerminal: true,
    now: NOW + 60_000,
  });
  expect(later.join("\n")).toMatch(/^x +now +3 /m);
});

verifies(
  ["fleet.cli.narrow", "security.s120"],
  "no line is wider than the terminal, whatever it contains",
  () => {
    const piece = fc.oneof(
      fc.constantFrom(...Array.from(HOSTILE), HOSTILE, "日本語", "👩‍👩‍👧‍👦", "\n", "\t", "\r", " ", "word"),
      fc.string({ unit: "binary", maxLength: 30 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.integer({ min: 20, max: 200 }), (pieces, width) => {
        const lines = boardLines(stateWith(pieces.join("")), {
          style: plain(),
          width,
          isTerminal: true,
          now: NOW,
        });
        for (const line of lines) {
          expect(line).not.toContain("\n");
          expect(stringWidth(line)).toBeLessThanOrEqual(width);
          const rest = line.replaceAll(/\u200C|\u200D|\uFE0E|\uFE0F/g, "");
          expect(hiddenIn(rest)).toBeUndefined();
        }
      }),
      { seed: 120, numRuns: 300 },
    );
  },
);
