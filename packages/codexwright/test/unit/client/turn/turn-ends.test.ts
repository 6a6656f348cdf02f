import { expect } from "vitest";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { accepted, completed, connected, FAKE, ids, message, note, running } from "../fake-turn.ts";

verifies(
  "turn.failed",
  "a failed turn and its iterator reject with the server's message, kind and HTTP status",
  async () => {
    const error = {
      message: "unexpected status 401",
      codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 401 } },
      additionalDetails: "more",
    };
    await using server = await connected([accepted, running, completed("failed", { error })]);
    const turn = server.thread.turn("go");
    const seen: string[] = [];
    const thrown = await rejection(
      (async () => {
        for await (const event of turn) seen.push(event.method);
      })(),
    );
    expect(seen).toEqual(["turn/started", "turn/completed"]);
    expect(thrown).toMatchObject({
      code: "turn_failed",
      message: "unexpected status 401",
      httpStatus: 401,
      additionalDetails: "more",
    });
    expect(await rejection(turn.completed)).toBe(thrown);
  },
  FAKE,
);

verifies(
  "turn.failed",
  "a rejected turn/start rejects started, completed and the iterator with the same error",
  async () => {
    const error = { code: -32600, message: "thread not found: t1" };
    await using server = await connected([{ on: "turn/start", error }]);
    const turn = server.thread.turn("go");
    const refused = await rejection(turn.completed);
    expect(refused).toMatchObject({ code: "thread_not_found", cause: { code: "rpc", rpcCode: -32600 } });
    expect(await rejection(turn.started)).toBe(refused);
    expect(await rejection(turn[Symbol.asyncIterator]().next())).toBe(refused);
  },
  FAKE,
);

verifies(
  "turn.interrupt",
  "an interrupt waits for the start of the turn, is sent once, and ends it",
  async () => {
    await using server = await connected([
      accepted,
      { on: "account/logout", result: {} },
      running,
      { on: "turn/interrupt", result: {} },
      completed("interrupted"),
    ]);
    const turn = server.thread.turn("go");
    const interrupts = [turn.interrupt(), turn.interrupt()];
    await server.codex.request("account/logout", undefined);
    await Promise.all(interrupts);
    expect(await rejection(turn.completed)).toMatchObject({ code: "turn_interrupted", recovered: false });
    expect(server.fake.received.at(-1)).toMatchObject({ method: "turn/interrupt", params: ids });
    expect(server.methods()).toEqual(["turn/start", "account/logout", "turn/interrupt"]);
    await turn.interrupt();
  },
  FAKE,
);

verifies(
  "turn.interrupt",
  "an interrupt that the server never answers resolves when the turn ends",
  async () => {
    await using server = await connected([
      accepted,
      running,
      { on: "turn/interrupt" },
      completed("completed"),
    ]);
    const turn = server.thread.turn("go");
    await turn.interrupt();
    expect((await turn.completed).turn.status).toBe("completed");
  },
  FAKE,
);

verifies(
  "turn.timeout",
  "timeoutMs interrupts the turn, then rejects with turn_timeout",
  async () => {
    await using server = await connected([
      accepted,
      running,
      { on: "turn/interrupt", result: {} },
      completed("interrupted"),
    ]);
    const error = await rejection(server.thread.run("go", { timeoutMs: 10 }));
    expect(error).toMatchObject({ code: "turn_timeout", limit: "timeoutMs" });
    expect(server.methods()).toEqual(["turn/start", "turn/interrupt"]);
  },
  FAKE,
);

verifies(
  "turn.silence",
  "silence ends a turn; other events reset the silence clock, but errors that the server retries do not",
  async () => {
    const retry = note("error", { ...ids, willRetry: true, error: { message: "Reconnecting" } });
    await using server = await connected([
      accepted,
      running,
      retry,
      retry,
      {
        on: "thread/read",
        result: { thread: { id: "t1", status: { type: "active", activeFlags: [] }, turns: [] } },
      },
      { on: "turn/interrupt", result: {} },
      completed("interrupted"),
    ]);
    const error = await rejection(server.thread.run("go", { silenceMs: 20 }));
    expect(error).toMatchObject({ code: "turn_timeout", limit: "silenceMs" });
    expect(server.methods()).toEqual(["turn/start", "thread/read", "turn/interrupt"]);
  },
  FAKE,
);

verifies(
  "turn.silence",
  "a pending approval and a running tool pause the silence clock",
  async () => {
    const answer = deferred();
    const approval = { ...ids, itemId: "c1", command: "ls" };
    await using server = await connected([
      accepted,
      running,
      { send: { id: 9, method: "item/commandExecution/requestApproval", params: approval } },
      { answered: 9 },
      note("item/started", { ...ids, item: { type: "commandExecution", id: "c1" } }),
      { on: "account/logout", result: {} },
      note("item/completed", { ...ids, item: { type: "commandExecution", id: "c1" } }),
      completed("completed"),
    ]);
    const asked = deferred();
    server.codex.onServerRequest("item/commandExecution/requestApproval", async () => {
      asked.resolve();
      await answer.promise;
      return { decision: "accept" };
    });
    const turn = server.thread.turn("go", { silenceMs: 30 });
    const started = deferred();
    void (async () => {
      for await (const event of turn) if (event.method === "item/started") started.resolve();
    })();
    await asked.promise;
    await quiet(60);
    answer.resolve();
    await started.promise;
    await quiet(60);
    await server.codex.request("account/logout", undefined);
    expect((await turn.completed).turn.status).toBe("completed");
  },
  FAKE,
);

verifies(
  "turn.abort",
  "a signal that aborts during the turn interrupts it and rejects with aborted",
  async () => {
    await using server = await connected([
      accepted,
      running,
      { on: "turn/interrupt", result: {} },
      completed("interrupted"),
    ]);
    const controller = new AbortController();
    const turn = server.thread.turn("go", { signal: controller.signal });
    await turn.started;
    controller.abort("enough");
    expect(await rejection(turn.completed)).toMatchObject({ code: "aborted", cause: "enough" });
    expect(server.methods()).toEqual(["turn/start", "turn/interrupt"]);
  },
  FAKE,
);

verifies(
  "turn.abort",
  "a signal that is already aborted sends nothing",
  async () => {
    await using server = await connected([]);
    const turn = server.thread.run("go", { signal: AbortSignal.abort("before") });
    expect(await rejection(turn)).toMatchObject({ code: "aborted", delivery: "notSent" });
    expect(server.methods()).toEqual([]);
  },
  FAKE,
);

verifies(
  "turn.dispose",
  "disposing a running turn interrupts it and waits for its end",
  async () => {
    await using server = await connected([
      accepted,
      running,
      { on: "turn/interrupt", result: {} },
      completed("interrupted"),
    ]);
    let outcome: Promise<unknown>;
    {
      await using turn = server.thread.turn("go");
      outcome = rejection(turn.completed);
      await turn.started;
    }
    expect(server.methods()).toEqual(["turn/start", "turn/interrupt"]);
    expect(await outcome).toMatchObject({ code: "aborted" });
  },
  FAKE,
);

verifies(
  "client.server-death",
  "if the server dies during a turn, the turn rejects after all earlier events were delivered",
  async () => {
    await using server = await connected([accepted, running, message("m1", "last words"), { exit: 1 }]);
    const turn = server.thread.turn("go");
    const seen: string[] = [];
    const thrown = await rejection(
      (async () => {
        for await (const event of turn) seen.push(event.method);
      })(),
    );
    expect(seen).toEqual(["turn/started", "item/completed"]);
    expect(thrown).toMatchObject({ code: "connection_closed" });
    expect(await rejection(server.thread.run("again"))).toMatchObject({
      code: "connection_closed",
      delivery: "notSent",
    });
  },
  FAKE,
);

verifies(
  ["turn.input", "client.spellings"],
  "input is a string, an item or a list, and empty input is rejected immediately",
  async () => {
    await using server = await connected([
      accepted,
      completed("completed"),
      accepted,
      completed("completed"),
    ]);
    await server.thread.run("words", { effort: "low", approvalPolicy: "always" });
    await server.thread.run([{ type: "localImage", path: "/a.png" }], {
      sandboxPolicy: { mode: "workspace-write", networkAccess: true },
    });
    expect(server.fake.received.slice(3).map(({ params }) => params)).toEqual([
      {
        threadId: "t1",
        effort: "low",
        approvalPolicy: "on-request",
        input: [{ type: "text", text: "words", text_elements: [] }],
      },
      {
        threadId: "t1",
        sandboxPolicy: { type: "workspaceWrite", networkAccess: true },
        input: [{ type: "localImage", path: "/a.png" }],
      },
    ]);
    expect(() => server.thread.turn("")).toThrow("empty string");
    expect(await rejection(server.thread.run([]))).toMatchObject({ code: "invalid_argument" });
    for (const input of [undefined, null, 5, ["words"]] as unknown as string[])
      expect(await rejection(server.thread.run(input))).toMatchObject({ code: "invalid_argument" });
  },
  FAKE,
);

verifies(
  "client.options",
  "rejects a sandbox that a turn would ignore and an invalid signal before anything is sent",
  async () => {
    await using server = await connected([accepted, completed("completed")]);
    const shared = { model: "m", sandbox: "read-only" } as const;
    expect(await rejection(server.thread.run("go", shared))).toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("sandboxPolicy"),
    });
    const bad: object[] = [{ sandboxPolicy: "read-only" }, { signal: new AbortController() }];
    for (const options of bad) {
      expect(() => server.thread.turn("go", options)).toThrow(
        expect.objectContaining({ code: "invalid_argument" }),
      );
    }
    await server.thread.run("go", { model: "m" });
  },
  FAKE,
);

/** Waits for a fixed time, because there is no event that a test of silence could wait for. */
function quiet(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

verifies(
  ["turn.interrupt", "turn.timeout"],
  "a turn that was given up and still runs on the server is ended before the next one starts",
  async () => {
    const next = { id: "u2", status: "inProgress", items: [] };
    await using server = await connected([
      accepted,
      running,
      { on: "turn/interrupt", result: {} },
      { on: "turn/interrupt", result: {} },
      { on: "account/logout", result: {} },
      completed("interrupted"),
      { on: "turn/start", result: { turn: next } },
      note("turn/started", { threadId: "t1", turn: next }),
      note("turn/completed", { threadId: "t1", turn: { ...next, status: "completed" } }),
    ]);
    const error = await rejection(server.thread.run("go", { timeoutMs: 20 }));
    expect(error).toMatchObject({ code: "turn_timeout" });
    const second = server.thread.run("again");
    await server.codex.request("account/logout", undefined);
    expect(await second).toMatchObject({ turn: { id: "u2", status: "completed" } });
    expect(server.methods()).toEqual([
      "turn/start",
      "turn/interrupt",
      "turn/interrupt",
      "account/logout",
      "turn/start",
    ]);
  },
  FAKE,
);
