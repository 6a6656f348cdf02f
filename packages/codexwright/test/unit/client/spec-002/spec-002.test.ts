import { expect } from "vitest";
import { CodexClient, type CodexClientOptions } from "codexwright";
import { wireScript, type WireStep } from "@codexwright/testing";
import { rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeClient } from "../fake-client.ts";
import { accepted, completed, connected, FAKE, ids, message, note, running } from "../fake-turn.ts";

const input = [{ type: "text" as const, text: "go" }];

verifies(
  "spec-002.surface",
  "events with a colon in their name have the data that docs/spec/spec-002.md lists, with the thread and turn",
  async () => {
    const item = { type: "commandExecution", id: "c1", command: "ls" };
    const plan = [{ step: "look", status: "inProgress" }];
    await using server = await connected([
      accepted,
      note("thread/started", { thread: { id: "t1" } }),
      running,
      note("item/started", { ...ids, item }),
      note("item/commandExecution/outputDelta", { ...ids, itemId: "c1", delta: "a.txt\n" }),
      note("item/completed", { ...ids, item }),
      note("turn/plan/updated", { ...ids, plan, explanation: null }),
      note("turn/diff/updated", { ...ids, diff: "+a" }),
      note("item/agentMessage/delta", { ...ids, itemId: "m1", delta: "Hi" }),
      message("m1", "Hi"),
      completed("completed"),
    ]);
    const seen: unknown[] = [];
    const { codex } = server;
    codex.on("thread:started", (thread) => seen.push(["thread:started", thread]));
    codex.on("turn:started", (turn, place) => seen.push(["turn:started", turn.id, place]));
    codex.on("turn:completed", (turn, place) => seen.push(["turn:completed", turn.status, place]));
    codex.on("item:started", (each, place) => seen.push(["item:started", each.id, place]));
    codex.on("item:completed", (each, place) => seen.push(["item:completed", each.id, place]));
    codex.on("item:commandExecution:outputDelta", (delta) => seen.push(["output", delta]));
    codex.on("item:agentMessage:delta", (delta) => seen.push(["text", delta]));
    codex.on("turn:plan:updated", (update) => seen.push(["plan", update]));
    codex.on("turn:diff:updated", (update) => seen.push(["diff", update]));
    const result = await codex.runTurn({ threadId: "t1", input });
    expect(seen).toEqual([
      ["thread:started", { id: "t1" }],
      ["turn:started", "u1", ids],
      ["item:started", "c1", ids],
      ["output", { itemId: "c1", output: "a.txt\n" }],
      ["item:completed", "c1", ids],
      ["plan", { ...ids, plan }],
      ["diff", { ...ids, diff: "+a" }],
      ["text", { itemId: "m1", text: "Hi" }],
      ["item:completed", "m1", ids],
      ["turn:completed", "completed", ids],
    ]);
    expect(result).toMatchObject({ agentMessage: "Hi", diff: "+a", plan });
  },
  FAKE,
);

verifies(
  "spec-002.surface",
  "flat methods send the requests that they stand for",
  async () => {
    const thread = { id: "t2", turns: [] };
    const script: WireStep[] = [
      { on: "thread/resume", result: { thread } },
      { on: "thread/fork", result: { thread } },
      { on: "thread/read", result: { thread } },
      { on: "thread/list", result: { data: [thread], nextCursor: "more" } },
      { on: "thread/compact/start", result: {} },
      { on: "thread/archive", result: {} },
      { on: "turn/steer", result: { turnId: "u7" } },
      { on: "turn/interrupt", result: {} },
      { on: "model/list", result: { data: [], nextCursor: null } },
      { on: "command/exec", result: { exitCode: 0, stdout: "hi", stderr: "" } },
    ];
    const fake = wireScript({ script });
    await using codex = await CodexClient.connect({ transport: fake.transport });
    expect((await codex.resumeThread("t1", { personality: "pragmatic" })).id).toBe("t2");
    expect((await codex.forkThread("t1")).id).toBe("t2");
    expect(await codex.readThread("t1", true)).toEqual(thread);
    expect(await codex.listThreads({ limit: 1 })).toEqual({ data: [thread], nextCursor: "more" });
    await codex.compactThread("t1");
    await codex.archiveThread("t1");
    expect(await codex.steerTurn({ threadId: "t1", input, expectedTurnId: "u7" })).toBe("u7");
    await codex.interruptTurn("t1", "u7");
    expect(await codex.listModels({ limit: 1 })).toEqual({ data: [], nextCursor: null });
    expect(await codex.execCommand({ command: ["echo", "hi"] })).toMatchObject({
      exitCode: 0,
      stdout: "hi",
      stderr: "",
    });
    expect(fake.received.slice(3).map(({ method, params }) => [method, params])).toEqual([
      ["thread/resume", { threadId: "t1", personality: "pragmatic" }],
      ["thread/fork", { threadId: "t1" }],
      ["thread/read", { threadId: "t1", includeTurns: true }],
      ["thread/list", { limit: 1 }],
      ["thread/compact/start", { threadId: "t1" }],
      ["thread/archive", { threadId: "t1" }],
      ["turn/steer", { threadId: "t1", input, expectedTurnId: "u7" }],
      ["turn/interrupt", { threadId: "t1", turnId: "u7" }],
      ["model/list", { limit: 1 }],
      ["command/exec", expect.objectContaining({ command: ["echo", "hi"], disableTimeout: true })],
    ]);
  },
  FAKE,
);

verifies(
  "spec-002.surface",
  "startTurn resolves with the turn's handle, whose sessionId joins the ids of thread and turn",
  async () => {
    await using server = await connected([
      accepted,
      running,
      completed("failed", { error: { message: "broke" } }),
    ]);
    const turn = await server.codex.startTurn({ threadId: "t1", input, effort: "low" });
    expect([turn.id, turn.sessionId]).toEqual(["u1", "t1-u1"]);
    expect(await rejection(turn.completed)).toMatchObject({ code: "turn_failed", message: "broke" });
  },
  FAKE,
);

verifies(
  "review",
  "returns the review text from a newer server's item, an older server's item, or the message alone",
  async () => {
    const review = (turnId: string, item: object): WireStep[] => [
      { on: "review/start", result: { turn: { id: turnId, items: [] }, reviewThreadId: "t1" } },
      note("turn/started", { threadId: "t1", turn: { id: turnId } }),
      note("item/completed", { threadId: "t1", turnId, item }),
      note("turn/completed", { threadId: "t1", turn: { id: turnId, status: "completed", items: [] } }),
    ];
    await using server = await connected([
      ...review("u1", { type: "exitedReviewMode", id: "r1", review: "newer" }),
      ...review("u2", { type: "codeReview", id: "r2", review: "older" }),
      ...review("u3", { type: "agentMessage", id: "r3", text: "alone", phase: null }),
    ]);
    const target = { type: "uncommittedChanges" } as const;
    const texts: string[] = [];
    for (let n = 0; n < 3; n++) {
      const { reviewText, reviewThreadId } = await server.codex.runReview({ threadId: "t1", target });
      expect(reviewThreadId).toBe("t1");
      texts.push(reviewText);
    }
    expect(texts).toEqual(["newer", "older", "alone"]);
  },
  FAKE,
);

verifies(
  "review",
  "before 0.155, the client lets the server create the thread of a detached review, if the server supports that",
  async () => {
    const detached = {
      threadId: "t1",
      target: { type: "uncommittedChanges" },
      delivery: "detached",
    } as const;
    const there = { threadId: "t9", turnId: "u9" };
    const script: WireStep[] = [
      { on: "review/start" },
      // The review ends before the answer names its thread.
      note("turn/started", { threadId: "t9", turn: { id: "u9" } }),
      note("item/completed", { ...there, item: { type: "exitedReviewMode", id: "r", review: "elsewhere" } }),
      note("turn/completed", { threadId: "t9", turn: { id: "u9", status: "completed", items: [] } }),
      { answer: "review/start", result: { turn: { id: "u9", items: [] }, reviewThreadId: "t9" } },
    ];
    await using server = await fakeClient(script, "0.145.0");
    const child = server.codex.thread("t9");
    const review = await server.codex.runReview(detached);
    expect(review).toMatchObject({ reviewText: "elsewhere", reviewThreadId: "t9" });
    expect(child.state.turns).toHaveLength(1);
  },
  FAKE,
);

const forked: WireStep = { on: "thread/fork", result: { thread: { id: "t9", turns: [] } } };
const custom = { type: "custom", instructions: "Look." } as const;

verifies(
  "review",
  "if the server only reviews inline, a detached review is an inline review of a fork",
  async () => {
    const reviewed: WireStep[] = [
      { on: "review/start", result: { turn: { id: "u9", items: [] }, reviewThreadId: "t9" } },
      note("turn/started", { threadId: "t9", turn: { id: "u9" } }),
      note("item/completed", {
        threadId: "t9",
        turnId: "u9",
        item: { type: "exitedReviewMode", id: "r", review: "elsewhere" },
      }),
      note("turn/completed", { threadId: "t9", turn: { id: "u9", status: "completed", items: [] } }),
    ];
    const refused: WireStep = {
      on: "review/start",
      error: { code: -32600, message: "paginated threads do not support detached review" },
    };
    for (const [version, before] of [
      ["0.166.0", []],
      ["0.155.0", []],
      ["0.145.0", [refused]],
    ] as const) {
      await using server = await fakeClient([...before, forked, ...reviewed], version);
      const review = await server.codex.runReview({ threadId: "t1", target: custom, delivery: "detached" });
      expect(review).toMatchObject({ reviewText: "elsewhere", reviewThreadId: "t9" });
      expect(server.sent().slice(before.length)).toEqual([
        { method: "thread/fork", params: { threadId: "t1", excludeTurns: true } },
        { method: "review/start", params: { threadId: "t9", target: custom, delivery: "inline" } },
      ]);
    }
  },
  FAKE,
);

verifies(
  "review",
  "deletes a fork whose review does not start, but never the thread under review",
  async () => {
    const failed: WireStep = { on: "review/start", error: { code: -32600, message: "no" } };
    const detached = { threadId: "t1", target: custom, delivery: "detached" } as const;
    await using server = await fakeClient([forked, failed, { on: "thread/delete", result: {} }]);
    expect(await rejection(server.codex.runReview(detached))).toMatchObject({ code: "rpc", message: "no" });
    expect(server.sent().at(-1)).toEqual({ method: "thread/delete", params: { threadId: "t9" } });
    const same: WireStep = { on: "thread/fork", result: { thread: { id: "t1", turns: [] } } };
    await using odd = await fakeClient([same, failed]);
    expect(await rejection(odd.codex.runReview(detached))).toMatchObject({ code: "rpc" });
    expect(odd.sent().map(({ method }) => method)).toEqual(["thread/fork", "review/start"]);
    const gone: WireStep = {
      on: "thread/fork",
      error: { code: -32600, message: "no rollout found for thread id t1" },
    };
    await using never = await fakeClient([gone]);
    expect(await rejection(never.codex.runReview(detached))).toMatchObject({ code: "no_rollout" });
  },
  FAKE,
);

verifies(
  "review",
  "if a detached review is aborted before its answer, ends it as soon as its id is known",
  async () => {
    const target = { type: "uncommittedChanges" } as const;
    const detached = { threadId: "t1", target, delivery: "detached" } as const;
    const script: WireStep[] = [
      { on: "review/start" },
      { on: "account/logout", result: {} },
      { answer: "review/start", result: { turn: { id: "u9", items: [] }, reviewThreadId: "t9" } },
      { on: "turn/interrupt", result: {} },
    ];
    await using server = await fakeClient(script, "0.145.0");
    const stop = new AbortController();
    const review = rejection(server.codex.runReview({ ...detached, signal: stop.signal }));
    stop.abort("enough");
    expect(await review).toMatchObject({ code: "aborted", delivery: "unknown", cause: "enough" });
    await server.codex.logout();
    await until(() => server.sent().length === 3);
    expect(server.sent().map(({ method }) => method)).toEqual([
      "review/start",
      "account/logout",
      "turn/interrupt",
    ]);
    expect(server.sent().at(-1)?.params).toEqual({ threadId: "t9", turnId: "u9" });
    expect(await rejection(server.codex.runReview({ ...detached, signal: stop.signal }))).toMatchObject({
      code: "aborted",
      delivery: "notSent",
    });
    expect(server.sent()).toHaveLength(3);
    expect(server.codex.thread("t1").state.activeTurnId).toBeUndefined();
  },
  FAKE,
);

verifies(
  "client.spellings",
  "uses the server's version to handle values that it no longer accepts and opt-outs that it does not know",
  async () => {
    const server = (version: string, script: readonly WireStep[]) => wireScript({ version, script });
    const start: WireStep = {
      on: "thread/start",
      result: { thread: { id: "t1" }, approvalPolicy: "on-failure" },
    };
    const options: CodexClientOptions = {
      approvalPolicy: "on-failure",
      optOutNotifications: ["skills/changed"],
    };
    const old = server("0.98.0", [note("skills/changed", {}), note("app/list/updated", {}), start]);
    const heard: string[] = [];
    const codex = new CodexClient({ ...options, transport: old.transport } as CodexClientOptions);
    codex.onNotification("skills/changed", () => heard.push("skills/changed"));
    codex.onNotification("app/list/updated", () => heard.push("app/list/updated"));
    await codex.connect();
    await codex.startThread();
    expect(old.received.at(-1)?.params).toMatchObject({ approvalPolicy: "on-failure" });
    expect(heard).toEqual(["app/list/updated"]);
    await codex.disconnect();
    const current = server("0.166.0", []);
    await using newer = await CodexClient.connect({
      ...options,
      transport: current.transport,
    } as CodexClientOptions);
    expect(await rejection(newer.startThread())).toMatchObject({ code: "unsupported" });
    expect(current.received.at(-1)?.method).toBe("codexwright/methods");
  },
  FAKE,
);

verifies(
  ["spec-002.surface", "turn.input"],
  "flat methods accept a list of inputs, each of which is a text, an item or a list",
  async () => {
    await using server = await connected([accepted, running, { on: "turn/steer", result: { turnId: "u1" } }]);
    const { codex, fake } = server;
    const text = { type: "text" as const, text: "b" };
    const turn = await codex.startTurn({ threadId: "t1", input: ["a", text, [text, text]] });
    await codex.steerTurn({ threadId: "t1", input: [text], expectedTurnId: "u1" });
    expect(fake.received.slice(3).map(({ params }) => (params as { input: unknown }).input)).toEqual([
      [{ type: "text", text: "a", text_elements: [] }, text, text, text],
      [text],
    ]);
    for (const bad of [[], [""], [null], [[]], "", undefined]) {
      const refused = codex.startTurn({ threadId: "t1", input: bad as never });
      expect(await rejection(refused)).toMatchObject({ code: "invalid_argument" });
    }
    expect(turn.status).toBe("inProgress");
  },
  FAKE,
);

verifies(
  "spec-002.examples",
  "a turn's status, items and error are current, and stay after the turn has ended",
  async () => {
    const item = { type: "commandExecution", id: "c1", command: "ls" };
    await using server = await connected([
      accepted,
      running,
      note("item/started", { ...ids, item }),
      note("item/agentMessage/delta", { ...ids, itemId: "m1", delta: "Hi" }),
      { on: "account/logout", result: {} },
      { on: "account/logout", result: {} },
      completed("failed", { error: { message: "broke" } }),
      { on: "turn/start", error: { code: -32600, message: "no" } },
      { on: "turn/start", result: { turn: { id: "u2", status: "inProgress", items: [] } } },
      { closeOutput: true },
    ]);
    const { codex, thread } = server;
    const turn = thread.turn("go");
    expect([turn.status, turn.items, turn.error]).toEqual(["inProgress", [], null]);
    await codex.logout();
    expect(turn.status).toBe("inProgress");
    expect(turn.items).toMatchObject([{ id: "c1" }, { id: "m1", text: "Hi" }]);
    // The returned list is a copy.
    turn.items.length = 0;
    expect(turn.items).toHaveLength(2);
    await codex.logout();
    await rejection(turn.completed);
    expect([turn.status, turn.error]).toMatchObject(["failed", { message: "broke" }]);
    expect(turn.items).toHaveLength(2);
    const refused = thread.turn("again");
    await rejection(refused.completed);
    expect([refused.status, refused.items, refused.error]).toEqual(["failed", [], null]);
    const lost = thread.turn("once more");
    await rejection(lost.completed);
    expect([lost.status, lost.error]).toEqual(["interrupted", null]);
  },
  FAKE,
);
