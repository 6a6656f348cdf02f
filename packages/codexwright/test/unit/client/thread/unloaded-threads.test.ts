import fc from "fast-check";
import { expect } from "vitest";
import { CodexClient, type Thread } from "codexwright";
import { fakeAppServer, reply, wireScript, type WireStep } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { accepted, completed, connected, FAKE, note, running } from "../fake-turn.ts";

/** A client of a fake server, with one thread that has run a turn. */
async function opened() {
  const fake = fakeAppServer({ model: () => reply("Hello") });
  const codex = await CodexClient.connect({ transport: fake.transport });
  const thread = await codex.startThread();
  await thread.run("first");
  return {
    codex,
    thread,
    [Symbol.asyncDispose]: async () => {
      await codex.disconnect();
      await fake[Symbol.asyncDispose]();
    },
  };
}

/** Resolves at the end of the next turn on this connection, even if another client started it. */
function turnEnds(codex: CodexClient): Promise<void> {
  return new Promise((resolve) => {
    const stop = codex.onNotification("turn/completed", () => {
      stop();
      resolve();
    });
  });
}

const target = { type: "custom", instructions: "Look at it." } as const;

/** Calls that need a loaded thread, each with the promise of its end. */
const NEEDS: Readonly<Record<string, (codex: CodexClient, thread: Thread) => Promise<unknown>>> = {
  run: (_, thread) => thread.run("again"),
  "runTurn by id": (codex, { id }) => codex.runTurn({ threadId: id, input: "again" }),
  queue: async (_, thread) => (await thread.send("again", { mode: "queue" })).turn.completed,
  steer: async (_, thread) => (await thread.send("again", { mode: "steer" })).turn.completed,
  review: (codex, { id }) => codex.runReview({ threadId: id, target }),
  compact: async (codex, thread) => {
    const ended = turnEnds(codex);
    await thread.compact();
    await ended;
  },
  shellCommand: async (codex, thread) => {
    const ended = turnEnds(codex);
    await thread.shellCommand("echo hi");
    await ended;
  },
  revert: (_, thread) => thread.revert({ numTurns: 1 }),
};

verifies(
  "thread.unloaded",
  "every call that needs a loaded thread works after archive and unarchive, and after an unsubscribe",
  async () => {
    for (const call of Object.values(NEEDS)) {
      await using server = await opened();
      const { codex, thread } = server;
      await thread.archive();
      await thread.unarchive();
      await call(codex, thread);
      expect((await thread.run("more")).agentMessage).toBe("Hello");
      await thread.unsubscribe();
      await call(codex, thread);
      expect((await thread.run("last")).agentMessage).toBe("Hello");
    }
  },
  FAKE,
);

verifies(
  "thread.unloaded",
  "every call that needs a loaded thread rejects with thread_archived while archived, and with thread_not_found after deletion",
  async () => {
    for (const [name, call] of Object.entries(NEEDS)) {
      await using server = await opened();
      const { codex, thread } = server;
      await thread.archive();
      expect([name, await rejection(call(codex, thread))]).toMatchObject([name, { code: "thread_archived" }]);
      await thread.unarchive();
      await thread.delete();
      expect([name, await rejection(call(codex, thread))]).toMatchObject([
        name,
        { code: "thread_not_found" },
      ]);
    }
  },
  FAKE,
);

verifies(
  "thread.unloaded",
  "resumes a thread that another client unloaded, also through a handle that is created later",
  async () => {
    const fake = fakeAppServer({ model: () => reply("Hello") });
    await using codex = await CodexClient.connect({ transport: fake.transport });
    const { id } = await codex.startThread();
    await codex.runTurn({ threadId: id, input: "first" });
    // Raw requests, as another client would send them: this client learns of them only by notifications.
    await codex.request("thread/archive", { threadId: id });
    expect(await rejection(codex.thread(id).run("while archived"))).toMatchObject({
      code: "thread_archived",
    });
    await codex.request("thread/unarchive", { threadId: id });
    expect((await codex.thread(id).run("again")).agentMessage).toBe("Hello");
    await fake[Symbol.asyncDispose]();
  },
  FAKE,
);

const resumed: WireStep = { on: "thread/resume", result: { thread: { id: "t1", turns: [] } } };
const notLoaded = note("thread/status/changed", { threadId: "t1", status: { type: "notLoaded" } });
const closed = note("thread/closed", { threadId: "t1" });
const idle = note("thread/status/changed", { threadId: "t1", status: { type: "idle" } });
const other = note("thread/closed", { threadId: "t2" });
const asked: WireStep = { on: "account/logout", result: {} };

/**
 * Returns a client with a handle of thread t1. The client has received these events before the rest of the script runs.
 */
async function after(events: readonly WireStep[], script: readonly WireStep[]) {
  const server = await connected([asked, ...events, asked, ...script]);
  // The events arrive between the two answers.
  await server.codex.request("account/logout", undefined);
  await server.codex.request("account/logout", undefined);
  return { ...server, sent: () => server.methods().slice(2) };
}

verifies(
  "thread.unloaded",
  "after any mix of events that unload the thread, the next turn resumes it once; events of other threads do not count",
  async () => {
    const unloading = fc.array(fc.constantFrom(notLoaded, closed, idle, other), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(unloading, async (events) => {
        const isUnloaded = events.includes(notLoaded) || events.includes(closed);
        await using server = await after(events, [
          ...(isUnloaded ? [resumed] : []),
          accepted,
          running,
          completed("completed"),
        ]);
        await server.thread.run("go");
        expect(server.sent()).toEqual([...(isUnloaded ? ["thread/resume"] : []), "turn/start"]);
      }),
      { seed: 20, numRuns: 40 },
    );
  },
  FAKE,
);

verifies(
  "thread.unloaded",
  "concurrent calls share one resume",
  async () => {
    await using server = await after(
      [closed],
      [
        resumed,
        { on: "thread/compact/start", result: {} },
        { on: "thread/shellCommand", result: {} },
        accepted,
        running,
        completed("completed"),
      ],
    );
    const { thread } = server;
    await Promise.all([thread.compact(), thread.shellCommand("true"), thread.run("go")]);
    expect(server.sent().filter((method) => method === "thread/resume")).toHaveLength(1);
  },
  FAKE,
);

verifies(
  "thread.unloaded",
  "retries a resume that was rejected because the thread is still closing",
  async () => {
    const message = "thread t1 is closing; retry thread/resume after the thread is closed";
    const closing: WireStep = { on: "thread/resume", error: { code: -32600, message } };
    await using server = await after(
      [closed],
      [closing, closing, resumed, accepted, running, completed("completed")],
    );
    await server.thread.run("go");
    expect(server.sent().filter((method) => method === "thread/resume")).toHaveLength(3);
  },
  FAKE,
);

verifies(
  "thread.unloaded",
  "a resume that reports a running turn counts only if the status of the thread agrees",
  async () => {
    const active = { type: "active", activeFlags: [] };
    const phantom = { id: "u0", status: "inProgress", items: [] };
    const seeming: WireStep = {
      on: "thread/resume",
      result: { thread: { id: "t1", status: active, turns: [phantom] } },
    };
    const read = (status: object): WireStep => ({
      on: "thread/read",
      result: { thread: { id: "t1", status, turns: [] } },
    });
    await using idles = await after(
      [closed],
      [seeming, read({ type: "idle" }), accepted, running, completed("completed")],
    );
    await idles.thread.run("go");
    const ends = note("turn/completed", { threadId: "t1", turn: { ...phantom, status: "completed" } });
    await using runs = await after(
      [closed],
      [seeming, read(active), asked, ends, accepted, running, completed("completed")],
    );
    const turn = runs.thread.turn("go");
    await runs.codex.request("account/logout", undefined);
    await turn.completed;
    const own = runs.sent().filter((method) => method !== "account/logout");
    expect(own).toEqual(["thread/resume", "thread/read", "turn/start"]);
  },
  FAKE,
);

verifies(
  "thread.unloaded",
  "rejects the turn if the server unloads the thread after each resume",
  async () => {
    const rounds = Array.from({ length: 20 }, () => [
      { on: "thread/resume" } as const,
      // The thread is unloaded again before the answer is read.
      { answer: "thread/resume", result: { thread: { id: "t1", turns: [] } } } as const,
      closed,
    ]);
    await using server = await after([closed], rounds.flat());
    expect(await rejection(server.thread.run("go"))).toMatchObject({ code: "thread_not_found" });
    expect(server.sent().filter((method) => method === "thread/resume").length).toBeLessThanOrEqual(4);
  },
  FAKE,
);

verifies(
  "thread.unloaded",
  "reports thread_archived although servers before 0.145 report an archived thread as unknown",
  async () => {
    const unknown = { code: -32600, message: "no rollout found for thread id t1" };
    const fake = wireScript({
      version: "0.98.0",
      script: [
        { on: "thread/archive", result: {} },
        { on: "thread/resume", error: unknown },
        { on: "thread/resume", error: unknown },
        { on: "thread/unarchive", result: { thread: { id: "t1" } } },
        resumed,
        accepted,
        running,
        completed("completed"),
      ],
    });
    await using codex = await CodexClient.connect({ transport: fake.transport });
    const thread = codex.thread("t1");
    await thread.archive();
    expect(await rejection(thread.run("go"))).toMatchObject({
      code: "thread_archived",
      delivery: "rejected",
    });
    expect(await rejection(codex.resumeThread("t1"))).toMatchObject({ code: "thread_archived" });
    await thread.unarchive();
    await thread.run("go");
  },
  FAKE,
);
