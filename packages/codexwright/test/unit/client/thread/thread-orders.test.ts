import fc from "fast-check";
import { expect } from "vitest";
import type { CodexClient, Thread } from "codexwright";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile, settle } from "../../security/hostile.ts";
import { FAKE } from "../fake-turn.ts";

const refusal = (message: string) => ({ error: { code: -32600, message } });

/**
 * A server with one thread T that behaves like Codex 0.166. Its lines are held back until `flush`, so that many of them
 * are read together.
 */
async function threadServer(events: boolean) {
  const state = { loaded: false, heard: false, archived: false, deleted: false, turns: 0 };
  const lines: object[] = [];
  const tell = (method: string, params: object = {}): void => {
    if (events) lines.push({ method, params: { threadId: "T", ...params } });
  };
  const unload = (): void => void Object.assign(state, { loaded: false, heard: false });
  const answers: Readonly<Record<string, () => object>> = {
    "thread/start": () => {
      Object.assign(state, { loaded: true, heard: true });
      return { result: { thread: { id: "T", turns: [] } } };
    },
    "thread/resume": () => {
      if (state.deleted) return refusal("no rollout found for thread id T");
      if (state.archived) return refusal("session T is archived. Run `codex unarchive T` first.");
      Object.assign(state, { loaded: true, heard: true });
      return { result: { thread: { id: "T", turns: [] } } };
    },
    "thread/unsubscribe": () => {
      state.heard = false;
      return { result: { status: "unsubscribed" } };
    },
    "thread/archive": () => {
      if (state.archived || state.deleted) return refusal("no rollout found for thread id T");
      unload();
      state.archived = true;
      tell("thread/archived");
      return { result: {} };
    },
    "thread/unarchive": () => {
      if (!state.archived || state.deleted) return refusal("no archived rollout found for thread id T");
      state.archived = false;
      tell("thread/unarchived");
      return { result: { thread: { id: "T", turns: [] } } };
    },
    "thread/delete": () => {
      if (state.deleted) return refusal("no rollout found for thread id T");
      unload();
      state.deleted = true;
      tell("thread/deleted");
      return { result: {} };
    },
    "turn/start": () => {
      if (!state.loaded) return refusal("thread not found: T");
      const turn = { id: `u${++state.turns}`, items: [], status: "inProgress" };
      const ends = [
        { method: "turn/started", params: { threadId: "T", turn } },
        { method: "turn/completed", params: { threadId: "T", turn: { ...turn, status: "completed" } } },
      ];
      if (state.heard) lines.push(...ends);
      return { result: { turn } };
    },
  };
  const server = await hostile({ reconnect: {} }, ({ id, method }) => {
    const answer = answers[method]?.();
    if (!answer) return `"result":{}`;
    lines.push({ id, ...answer });
    return undefined;
  });
  const flush = (): void => server.say(...lines.splice(0));
  return { ...server, state, flush };
}

/**
 * Flushes until the work has settled. The number of rounds is limited, to detect a wait for an event that never comes.
 */
async function outcome(server: { flush(): void }, work: Promise<unknown>, rounds = 40): Promise<string> {
  const state = { result: "still waits" };
  work.then(
    () => (state.result = "done"),
    (error: unknown) => (state.result = (error as { code?: string }).code ?? String(error)),
  );
  for (let round = 0; round < rounds && state.result === "still waits"; round++) {
    await settle();
    server.flush();
  }
  return state.result;
}

const CALLS: Readonly<Record<string, (codex: CodexClient, thread: Thread) => Promise<unknown>>> = {
  unsubscribe: (_, thread) => thread.unsubscribe(),
  archive: (_, thread) => thread.archive(),
  unarchive: (_, thread) => thread.unarchive(),
  delete: (_, thread) => thread.delete(),
  compact: (_, thread) => thread.compact(),
  resume: (codex, { id }) => codex.resumeThread(id),
};

const OUTCOMES = ["done", "thread_archived", "thread_not_found"];

verifies(
  "thread.unloaded",
  "for every order of calls, awaited or not, the next turn runs and completes, or rejects with thread_archived or thread_not_found",
  async () => {
    const call = fc.record({ name: fc.constantFrom(...Object.keys(CALLS)), awaited: fc.boolean() });
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        async (calls, events) => {
          await using server = await threadServer(events);
          const opening = server.codex.startThread();
          await outcome(server, opening);
          const thread = await opening;
          for (const { name, awaited } of calls) {
            const work = CALLS[name]?.(server.codex, thread) ?? expect.unreachable();
            work.catch(() => {});
            if (awaited) await outcome(server, work);
          }
          const first = await outcome(server, thread.run("go"));
          // The turn can share a resume that was sent before the last of the calls.
          expect(OUTCOMES).toContain(first);
          const { archived, deleted } = server.state;
          const expected = deleted ? "thread_not_found" : archived ? "thread_archived" : "done";
          expect(await outcome(server, thread.run("more"))).toBe(expected);
          if (calls.every(({ awaited }) => awaited)) expect(first).toBe(expected);
          seen.add(expected);
        },
      ),
      { seed: 7, numRuns: 300 },
    );
    expect([...seen].toSorted()).toEqual(OUTCOMES);
  },
  FAKE,
);

verifies(
  "thread.unloaded",
  "after a reconnect, the client still knows that a thread was archived or deleted",
  async () => {
    for (const [name, code] of [
      ["archive", "thread_archived"],
      ["delete", "thread_not_found"],
      ["unsubscribe", "done"],
    ] as const) {
      for (const losses of [1, 2]) {
        await using server = await threadServer(true);
        const opening = server.codex.startThread();
        await outcome(server, opening);
        const thread = await opening;
        await outcome(server, CALLS[name]?.(server.codex, thread) ?? expect.unreachable());
        for (let loss = 0; loss < losses; loss++) {
          server.drop();
          // The client waits before it reconnects, so allow any number of rounds.
          await outcome(server, server.codex.request("account/logout", undefined), Infinity);
        }
        expect([name, losses, await outcome(server, thread.run("go"))]).toEqual([name, losses, code]);
      }
    }
  },
  FAKE,
);

verifies(
  "thread.unloaded",
  "a thread that could not be resumed after a reconnect can be used again after unarchive",
  async () => {
    await using server = await hostile({ reconnect: {} }, ({ method }) =>
      method === "thread/start" ? `"result":{"thread":{"id":"T","turns":[]}}` : `"result":{}`,
    );
    const { codex } = server;
    const thread = await codex.startThread();
    // Servers before 0.145 answer this for a thread that another client has archived.
    server.answer(({ method }) =>
      method === "thread/resume"
        ? `"error":${JSON.stringify(refusal("no rollout found").error)}`
        : `"result":{}`,
    );
    server.drop();
    await codex.request("account/logout", undefined);
    expect(await rejection(thread.run("go"))).toMatchObject({ code: "no_rollout" });
    server.answer(({ method }) => {
      if (method === "thread/resume") return `"result":{"thread":{"id":"T","turns":[]}}`;
      return method === "turn/start" ? `"result":{"turn":{"id":"U"}}` : `"result":{}`;
    });
    await thread.unarchive();
    const turn = thread.turn("go");
    await turn.started;
    server.say({
      method: "turn/completed",
      params: { threadId: "T", turn: { id: "U", status: "completed" } },
    });
    await turn.completed;
  },
  FAKE,
);
