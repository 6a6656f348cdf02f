/** Race conditions and failures between the steps of a turn: calls never hang, turns stop, and nothing runs twice. */
import { expect } from "vitest";
import { CodexClient, jsonSchema, tool } from "codexwright";
import { wireScript, type WireStep } from "@codexwright/testing";
import { deferred, rejection } from "@codexwright/test-support/events";
import { collectGarbage } from "@codexwright/test-support/gc";
import { verifies } from "@codexwright/test-support/verifies";
import { accepted, completed, connected, FAKE, ids, message, note, running } from "../fake-turn.ts";

const pause: WireStep = { on: "account/logout", result: {} };
const nextPause = (server: { codex: CodexClient }): Promise<unknown> =>
  server.codex.request("account/logout", undefined);
const anything = jsonSchema({ type: "object", properties: {} });

verifies(
  "client.memory",
  "a thread that is addressed by id keeps its tools and policy after its handle was garbage-collected",
  async () => {
    const ask = (id: number, method: string, params: object): WireStep[] => [
      { send: { id, method, params: { threadId: "t1", turnId: "u1", itemId: "i", callId: "c", ...params } } },
      { answered: id },
    ];
    await using server = await connected([
      { on: "thread/start", result: { thread: { id: "t1", turns: [] }, approvalPolicy: "never" } },
      pause,
      ...ask(1, "item/tool/call", { tool: "hello", arguments: {} }),
      ...ask(2, "item/commandExecution/requestApproval", {}),
      pause,
    ]);
    const hello = tool({ name: "hello", description: "Greets", input: anything, run: () => "world" });
    await server.codex.startThread({ tools: [hello] });
    await collectGarbage();
    await nextPause(server);
    await nextPause(server);
    const answers = server.fake.received.filter(({ method }) => method === undefined);
    expect(answers.map(({ result }) => result)).toEqual([
      { success: true, contentItems: [{ type: "inputText", text: "world" }] },
      { decision: "accept" },
    ]);
  },
  FAKE,
);

verifies(
  "turn.send",
  "when the connection ends, messages that are queued behind a turn that a resume reported as running reject without being sent",
  async () => {
    const thread = { id: "t1", turns: [{ id: "u9", status: "inProgress", items: [] }] };
    await using server = await connected([{ on: "thread/resume", result: { thread } }, pause, { exit: 1 }]);
    const resumed = await server.codex.resumeThread("t1");
    const queued = [
      await resumed.send("one", { mode: "queue" }),
      await resumed.send("two", { mode: "queue" }),
    ];
    const outcomes = queued.map(({ turn }) => rejection(turn.completed));
    await nextPause(server);
    for (const outcome of await Promise.all(outcomes)) {
      expect(outcome).toMatchObject({ code: "connection_closed", delivery: "notSent", retryable: true });
    }
    expect(await rejection(resumed.run("again"))).toMatchObject({ code: "connection_closed" });
  },
  FAKE,
);

verifies(
  ["client.events", "rpc.bad-line"],
  "notifications of an unexpected shape cause warnings, and the turn continues",
  async () => {
    const odd = [
      note("thread/status/changed", { threadId: "t1" }),
      note("item/started", { ...ids }),
      note("item/completed", { ...ids, item: null }),
      note("turn/started", { threadId: "t1", turn: null }),
      note("thread/tokenUsage/updated", { ...ids, tokenUsage: 7 }),
      { send: { method: "serverRequest/resolved" } },
      { send: { method: "item/started", params: null } },
    ];
    await using server = await connected([
      accepted,
      running,
      ...odd,
      message("m1", "fine"),
      completed("completed"),
    ]);
    const warnings: string[] = [];
    server.codex.on("warning", ({ code }) => warnings.push(code));
    expect((await server.thread.run("go")).agentMessage).toBe("fine");
    expect(new Set(warnings)).toEqual(new Set(["bad_line"]));
  },
  FAKE,
);

verifies(
  ["tools.deadline", "requests.resolved"],
  "the signal of a tool and of an approval aborts when its turn ends",
  async () => {
    const ask = { ...ids, itemId: "i", callId: "c", tool: "slow", arguments: {} };
    await using server = await connected([
      accepted,
      running,
      { send: { id: 1, method: "item/tool/call", params: ask } },
      pause,
      completed("interrupted"),
    ]);
    const started = deferred();
    const aborted = deferred();
    server.codex.onServerRequest("item/tool/call", async (_params, context) => {
      // A spread copy of the context keeps the signal.
      const { signal } = { ...context };
      signal.addEventListener("abort", () => aborted.resolve());
      started.resolve();
      await aborted.promise;
      return { success: true, contentItems: [] };
    });
    const turn = server.thread.turn("go");
    await started.promise;
    expect(server.thread.state.pendingRequests).toHaveLength(1);
    await nextPause(server);
    await rejection(turn.completed);
    await aborted.promise;
    expect(server.thread.state.pendingRequests).toEqual([]);
    expect(server.fake.received.filter(({ method }) => method === undefined)).toEqual([]);
  },
  FAKE,
);

verifies(
  "turn.silence",
  "a handler that ignores its signal does not pause the silence clock forever",
  async () => {
    await using server = await connected([
      accepted,
      running,
      { send: { id: 1, method: "item/commandExecution/requestApproval", params: { ...ids, itemId: "c" } } },
      pause,
      note("serverRequest/resolved", { threadId: "t1", requestId: 1 }),
      { on: "thread/read", result: { thread: { id: "t1", status: { type: "active", activeFlags: [] } } } },
      { on: "turn/interrupt", result: {} },
      completed("interrupted"),
    ]);
    const asked = deferred();
    server.codex.onServerRequest("item/commandExecution/requestApproval", async () => {
      asked.resolve();
      return await new Promise<never>(() => {});
    });
    const turn = server.thread.turn("go", { silenceMs: 40 });
    await asked.promise;
    await nextPause(server);
    expect(await rejection(turn.completed)).toMatchObject({ code: "turn_timeout" });
  },
  FAKE,
);

verifies(
  "turn.interrupt",
  "a turn that was merged into a turn whose start was missed can still be interrupted",
  async () => {
    await using server = await connected([
      accepted,
      { on: "turn/interrupt", result: {} },
      completed("interrupted"),
    ]);
    const turn = server.thread.turn("go");
    await turn.interrupt();
    expect(await rejection(turn.completed)).toMatchObject({ code: "turn_interrupted" });
  },
  FAKE,
);

verifies(
  "turn.interrupt",
  "a failed interrupt can be retried",
  async () => {
    await using server = await connected([
      accepted,
      running,
      { on: "turn/interrupt", error: { code: -32603, message: "not now" } },
      { on: "turn/interrupt", result: {} },
      completed("interrupted"),
    ]);
    const turn = server.thread.turn("go");
    expect(await rejection(turn.interrupt())).toMatchObject({ rpcCode: -32603 });
    await turn.interrupt();
    expect(await rejection(turn.completed)).toMatchObject({ code: "turn_interrupted" });
  },
  FAKE,
);

verifies(
  ["turn.abort", "turn.interrupt"],
  "a turn that starts after it was given up is interrupted when it starts",
  async () => {
    await using server = await connected([
      { on: "turn/start" },
      pause,
      { answer: "turn/start", result: { turn: { id: "u1" } } },
      running,
      { on: "turn/interrupt", result: {} },
      pause,
    ]);
    const controller = new AbortController();
    const turn = server.thread.turn("go", { signal: controller.signal });
    controller.abort("enough");
    expect(await rejection(turn.completed)).toMatchObject({ code: "aborted", delivery: "unknown" });
    await nextPause(server);
    await nextPause(server);
    expect(server.methods()).toContain("turn/interrupt");
  },
  { ...FAKE, timeoutMs: 15_000 },
);

verifies(
  "turn.reconciled",
  "an idle thread does not complete a turn that was only acknowledged",
  async () => {
    const idle = { thread: { id: "t1", status: { type: "idle" }, turns: [] } };
    await using server = await connected([
      accepted,
      { on: "thread/read", result: idle },
      { on: "turn/interrupt", result: {} },
      completed("interrupted"),
    ]);
    const error = await rejection(server.thread.run("go", { silenceMs: 20 }));
    expect(error).toMatchObject({ code: "turn_timeout" });
  },
  FAKE,
);

verifies(
  "turn.reconciled",
  "reads a turn from the history repeatedly while the thread is idle, and ends the turn if the thread is gone",
  async () => {
    const idle = note("thread/status/changed", { threadId: "t1", status: { type: "idle" } });
    const failed: WireStep = { on: "thread/read", error: { code: -32603, message: "busy" } };
    await using server = await connected([
      accepted,
      running,
      idle,
      failed,
      failed,
      { on: "thread/read", error: { code: -32600, message: "thread not found: t1" } },
    ]);
    const error = await rejection(server.thread.run("go", { silenceMs: 0 }));
    expect(error).toMatchObject({ code: "turn_interrupted" });
  },
  { ...FAKE, timeoutMs: 15_000 },
);

verifies(
  ["client.startup", "client.lifecycle"],
  "neither disconnect nor connect waits for a server or transport that does not answer",
  async () => {
    const silent = wireScript({ handshake: false, script: [] });
    const waiting = new CodexClient({ transport: silent.transport, startupTimeoutMs: 0 });
    const outcome = rejection(waiting.connect());
    await waiting.disconnect();
    expect(await outcome).toMatchObject({ code: "not_connected" });
    const stuck = new CodexClient({ transport: () => new Promise(() => {}), startupTimeoutMs: 20 });
    expect(await rejection(stuck.connect())).toMatchObject({ code: "startup_timeout" });
  },
  FAKE,
);

verifies(
  "turn.send",
  "a message whose interrupt failed does not run later",
  async () => {
    await using server = await connected([
      accepted,
      running,
      { on: "turn/interrupt", error: { code: -32603, message: "not now" } },
      pause,
      completed("completed"),
      pause,
    ]);
    const first = server.thread.turn("go");
    await first.started;
    expect(await rejection(server.thread.send("instead", { mode: "interrupt" }))).toMatchObject({
      code: "rpc",
    });
    await nextPause(server);
    await first.completed;
    await nextPause(server);
    expect(server.methods().filter((method) => method === "turn/start")).toHaveLength(1);
  },
  FAKE,
);

verifies(
  ["output.invalid", "turn.send"],
  "a repair turn runs before a queued message",
  async () => {
    const turn = (id: string, text: string): WireStep[] => [
      { on: "turn/start", result: { turn: { id } } },
      note("turn/started", { threadId: "t1", turn: { id } }),
      note("item/completed", {
        threadId: "t1",
        turnId: id,
        item: { type: "agentMessage", id: `m${id}`, text },
      }),
    ];
    const done = (id: string): WireStep =>
      note("turn/completed", { threadId: "t1", turn: { id, status: "completed", items: [] } });
    await using server = await connected([
      ...turn("u1", "not JSON"),
      pause,
      done("u1"),
      ...turn("u2", '{"n":1}'),
      done("u2"),
      ...turn("u3", "waited"),
      done("u3"),
    ]);
    const schema = jsonSchema<{ n: number }>({
      type: "object",
      properties: { n: { type: "number" } },
      required: ["n"],
      additionalProperties: false,
    });
    const mended = server.thread.run("go", { output: schema, repair: 1 });
    const waiting = await server.thread.send("later", { mode: "queue" });
    await nextPause(server);
    expect((await mended).output).toEqual({ n: 1 });
    expect((await waiting.turn.completed).agentMessage).toBe("waited");
  },
  FAKE,
);

verifies(
  "output.parse",
  "a completed turn keeps its result if the connection ends while its answer is validated",
  async () => {
    await using server = await connected([
      accepted,
      running,
      message("m1", "{}"),
      completed("completed"),
      { exit: 0 },
    ]);
    const schema = jsonSchema(
      { type: "object", properties: {}, additionalProperties: false },
      async (value) => {
        await new Promise((resolve) => setImmediate(resolve));
        return value as object;
      },
    );
    expect((await server.thread.run("go", { output: schema })).output).toEqual({});
  },
  FAKE,
);
