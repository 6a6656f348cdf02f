import fc from "fast-check";
import { expect } from "vitest";
import { CodexClient, type ClientWarning, type CodexError } from "codexwright";
import type { WireStep } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { oneTurn, plain } from "../../agent/run-world.ts";
import { accepted, completed, connected, FAKE, ids, note, running } from "../fake-turn.ts";
import { CodexAgent } from "codexwright/agent";

const retry = (message: string, additionalDetails: string | null = null, place: object = ids): WireStep =>
  note("error", { ...place, willRetry: true, error: { message, additionalDetails, codexErrorInfo: null } });
const active: WireStep = {
  on: "thread/read",
  result: { thread: { id: "t1", status: { type: "active", activeFlags: [] }, turns: [] } },
};
const interrupted: WireStep[] = [{ on: "turn/interrupt", result: {} }, completed("interrupted")];

/** Collects the warnings of a client. */
function warningsOf(codex: CodexClient): ClientWarning[] {
  const warnings: ClientWarning[] = [];
  codex.on("warning", (warning) => warnings.push(warning));
  return warnings;
}

verifies(
  "turn.trouble",
  "the first retry of each turn causes one warning, and a timeout of either kind has the last error as its cause",
  async () => {
    for (const limit of ["timeoutMs", "silenceMs"] as const) {
      await using server = await connected([
        accepted,
        running,
        retry("Reconnecting... 1/5", "connection refused"),
        retry("Reconnecting... 2/5", "no route to host"),
        ...(limit === "silenceMs" ? [active] : []),
        ...interrupted,
        { on: "turn/start", result: { turn: { id: "u2" } } },
        note("turn/started", { threadId: "t1", turn: { id: "u2" } }),
        retry("Reconnecting... 1/5", "again", { threadId: "t1", turnId: "u2" }),
        note("turn/completed", { threadId: "t1", turn: { id: "u2", status: "completed", items: [] } }),
      ]);
      const warnings = warningsOf(server.codex);
      const error = (await rejection(server.thread.run("go", { [limit]: 500 }))) as CodexError;
      expect(error).toMatchObject({
        code: "turn_timeout",
        limit,
        cause: {
          code: "turn_retrying",
          ...ids,
          message: "Reconnecting... 2/5: no route to host",
          additionalDetails: "no route to host",
        },
      });
      expect(error.message).toContain("the last error was: Reconnecting... 2/5: no route to host");
      expect(warnings).toMatchObject([
        { code: "turn_retrying", cause: { message: "Reconnecting... 1/5: connection refused" } },
      ]);
      expect(warnings[0]?.message).toContain("turn u1 of thread t1");
      await server.thread.run("more");
      expect(server.thread.retrying).toBeUndefined();
      expect(warnings).toHaveLength(2);
    }
  },
  FAKE,
);

verifies(
  "turn.trouble",
  "the last error of a turn is never an error of another thread or an earlier turn, or an error that ended a turn",
  async () => {
    const final = note("error", { ...ids, willRetry: false, error: { message: "the end" } });
    const elsewhere = retry("elsewhere", null, { threadId: "t2", turnId: "u1" });
    await using server = await connected([
      accepted,
      running,
      retry("of the turn before"),
      completed("completed"),
      { on: "turn/start", result: { turn: { id: "u2" } } },
      note("turn/started", { threadId: "t1", turn: { id: "u2" } }),
      elsewhere,
      final,
      { on: "turn/interrupt", result: {} },
      note("turn/completed", { threadId: "t1", turn: { id: "u2", status: "interrupted", items: [] } }),
    ]);
    await server.thread.run("go");
    const error = (await rejection(server.thread.run("go", { timeoutMs: 500 }))) as CodexError;
    expect(error).toMatchObject({ code: "turn_timeout" });
    expect(error.cause).toBeUndefined();
    expect(error.message).not.toContain("last error");
  },
  FAKE,
);

verifies(
  "turn.trouble",
  "a request timeout names the last error of its own thread, but not of another thread",
  async () => {
    await using server = await connected([accepted, running, retry("Reconnecting... 1/5", "refused")]);
    const warned = new Promise<void>((resolve) => {
      server.codex.once("warning", () => resolve());
    });
    const turn = server.thread.turn("go");
    await warned;
    expect(server.thread.retrying).toMatchObject({ code: "turn_retrying", turnId: "u1" });
    const late = (await rejection(server.thread.setName("x", { timeoutMs: 1 }))) as CodexError;
    expect(late).toMatchObject({
      code: "request_timeout",
      method: "thread/name/set",
      delivery: "unknown",
      timeoutMs: 1,
      cause: { code: "turn_retrying" },
    });
    expect(late.message).toContain("the last error was: Reconnecting... 1/5: refused");
    const other = (await rejection(server.codex.thread("t2").setName("x", { timeoutMs: 1 }))) as CodexError;
    expect(other).toMatchObject({ code: "request_timeout" });
    expect(other.cause).toBeUndefined();
    turn.completed.catch(() => {});
  },
  FAKE,
);

verifies(
  ["turn.trouble", "agent.R69"],
  "the deadline error of a run names the error that the server was retrying",
  async () => {
    const place = { threadId: "thread", turnId: "turn" };
    const wire = oneTurn([
      retry("Reconnecting... 1/5", "refused", place),
      { on: "turn/interrupt", result: {} },
    ]);
    const agent = await CodexAgent.open({
      connect: () => CodexClient.connect({ transport: wire.transport }),
    });
    const error = (await rejection(agent.run(plain, { deadlineMs: 600 }).result)) as CodexError;
    expect(error).toMatchObject({ code: "deadline_exceeded", cause: { code: "turn_retrying" } });
    expect(error.message).toContain("the last error was: Reconnecting... 1/5: refused");
    await agent[Symbol.asyncDispose]();
  },
  FAKE,
);

verifies(
  "turn.trouble",
  "the turn continues and messages stay short, for any content of a retried error",
  async () => {
    const odd = fc.oneof(fc.string(), fc.constant("x".repeat(100_000)), fc.jsonValue());
    const error = fc.oneof(
      odd,
      fc.record({ message: odd, additionalDetails: odd, codexErrorInfo: odd }, { requiredKeys: [] }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(error, { minLength: 1, maxLength: 4 }), async (errors) => {
        const events = errors.map((each) => note("error", { ...ids, willRetry: true, error: each }));
        await using server = await connected([accepted, running, ...events, completed("completed")]);
        const warnings = warningsOf(server.codex);
        await server.thread.run("go");
        expect(warnings.map(({ code }) => code)).toEqual(["turn_retrying"]);
        expect(warnings[0]?.message.length).toBeLessThan(700);
      }),
      { seed: 3, numRuns: 60 },
    );
  },
  FAKE,
);

verifies(
  "turn.trouble",
  "late errors of an ended turn cause no further warning, and are not the cause of a timeout of the running turn",
  async () => {
    const late = retry("of the turn before");
    const own = retry("of its own", null, { threadId: "t1", turnId: "u2" });
    const rounds: readonly (readonly WireStep[])[] = [
      [late],
      [late, late],
      [own, late],
      [late, own, late, own, late],
    ];
    for (const errors of rounds) {
      await using server = await connected([
        accepted,
        running,
        retry("once"),
        completed("completed"),
        late,
        { on: "turn/start", result: { turn: { id: "u2" } } },
        note("turn/started", { threadId: "t1", turn: { id: "u2" } }),
        ...errors,
        { on: "turn/interrupt", result: {} },
        note("turn/completed", { threadId: "t1", turn: { id: "u2", status: "interrupted", items: [] } }),
      ]);
      const warnings = warningsOf(server.codex);
      await server.thread.run("go");
      const error = (await rejection(server.thread.run("go", { timeoutMs: 300 }))) as CodexError;
      const cause = errors.includes(own) ? { message: "of its own", turnId: "u2" } : undefined;
      expect(error.code).toBe("turn_timeout");
      if (cause) expect(error.cause).toMatchObject(cause);
      else expect(error.cause).toBeUndefined();
      expect(warnings).toHaveLength(cause ? 2 : 1);
    }
  },
  FAKE,
);
