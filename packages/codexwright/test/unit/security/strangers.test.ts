import { expect } from "vitest";
import { CodexAgent, definePrompt, section } from "codexwright/agent";
import { mergeLimits } from "../../../src/client/services/account/merge-limits.ts";
import { ThreadTable } from "../../../src/client/thread/thread-table.ts";
import type { ThreadHost } from "../../../src/client/thread/thread-route.ts";
import { RecentMap } from "../../../src/rpc/recent-map.ts";
import { until } from "@codexwright/test-support/events";
import { collectGarbage } from "@codexwright/test-support/gc";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile, settle } from "./hostile.ts";

const SLOW = { timeoutMs: 60_000 };

verifies("security.s49", "a recent map keeps its size limit and drops the oldest entries", () => {
  const map = new RecentMap<number, string>(3);
  for (const key of [1, 2, 3, 1, 4]) map.set(key, `${key}`);
  expect([...map.values()]).toEqual(["3", "1", "4"]);
  expect(map.has(2)).toBe(false);
  for (let key = 0; key < 1_000; key++) map.set(key, "");
  expect(map.size).toBe(3);
});

verifies("security.s49", "a recent map keeps its weight limit, and the newest entry at any weight", () => {
  const map = new RecentMap<number, number>(100, 10);
  for (let key = 0; key < 20; key++) map.set(key, key, 3);
  expect([...map.values()]).toEqual([17, 18, 19]);
  map.set(18, 18, 1);
  map.set(20, 20, 3);
  expect([...map.values()]).toEqual([17, 19, 18, 20]);
  map.set(21, 21, 1_000);
  expect([...map.values()]).toEqual([21]);
  map.delete(21);
  for (const key of [1, 2, 3]) map.set(key, key, 3);
  expect(map.size).toBe(3);
});

/** Returns the bytes in use after a garbage collection. */
async function heap(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage().heapUsed;
}

verifies(
  "security.s49",
  "the table of threads keeps 256 threads that the caller does not use, and all of the caller's",
  () => {
    const table = new ThreadTable();
    const host = {
      keep: (route, needed) => table.keep(route, needed),
      remember: (route) => table.remember(route),
    } as Partial<ThreadHost> as ThreadHost;
    const begin = (id: string): void => {
      const route = table.open(id, host);
      route.deliver({
        method: "turn/started",
        params: { threadId: id, turn: { id: "u", items: [] } },
      } as never);
    };
    const own = Array.from({ length: 1_000 }, (_, each) => table.open(`own${each}`, host));
    for (const route of own) table.remember(route);
    for (const { threadId } of own) begin(threadId);
    for (let each = 0; each < 25_600; each++) begin(`s${each}`);
    const busy = table.busy().map(({ threadId }) => threadId);
    expect(busy.slice(0, 1_000)).toEqual(own.map(({ threadId }) => threadId));
    expect(busy.slice(1_000)).toEqual(Array.from({ length: 256 }, (_, each) => `s${25_344 + each}`));
  },
);

verifies(
  "security.s49",
  "unused threads are freed after a while, and the caller's own thread keeps working",
  async () => {
    await using server = await hostile();
    const thread = await server.codex.startThread();
    const turn = thread.turn("go");
    await turn.started;
    const strangers = async (from: number, count: number): Promise<void> => {
      for (let each = from; each < from + count; each++) {
        const threadId = `stranger-${each}`;
        server.say(
          {
            method: "turn/started",
            params: { threadId, turn: { id: `u${each}`, items: [], status: "inProgress" } },
          },
          { method: "thread/started", params: { thread: { id: threadId, turns: [] } } },
          {
            method: "item/started",
            params: { threadId, turnId: `u${each}`, item: { type: "plan", id: "i", text: "" } },
          },
        );
        if (each % 500 === 0) await settle();
      }
    };
    await strangers(0, 5_000);
    const before = await heap();
    await strangers(5_000, 25_600);
    const after = await heap();
    expect((after - before) / 25_600).toBeLessThan(100);
    // The newest thread is followed, and the caller's own thread is unchanged.
    expect(server.codex.thread("stranger-30599").state.activeTurnId).toBe("u30599");
    const place = { threadId: "T", turnId: "U" };
    server.say(
      {
        method: "item/completed",
        params: { ...place, item: { type: "agentMessage", id: "m", text: "done" } },
      },
      {
        method: "turn/completed",
        params: { threadId: "T", turn: { id: "U", items: [], status: "completed" } },
      },
    );
    expect((await turn.completed).agentMessage).toBe("done");
    // If the caller runs a turn on another client's thread, that thread is kept.
    const adopted = server.codex.thread("adopted").turn("go");
    adopted.completed.catch(() => {});
    await adopted.started;
    await strangers(40_000, 1_000);
    server.say({
      method: "turn/completed",
      params: { threadId: "adopted", turn: { id: "U", items: [], status: "completed" } },
    });
    await adopted.completed;
  },
  SLOW,
);

const go = definePrompt({ id: "go", sections: [section({ key: "a", title: "A", body: "Go." })] });

verifies(
  "security.s49",
  "idle sub-agents make room for active ones",
  async () => {
    const server = await hostile();
    await using agent = await CodexAgent.open({ connect: async () => server.codex });
    const run = agent.run(go);
    await until(() => server.sent.some(({ method }) => method === "turn/start"));
    await settle();
    const announce = (from: number, count: number): void => {
      const receiverThreadIds = Array.from({ length: count }, (_, each) => `agent-${from + each}`);
      const item = { type: "collabAgentToolCall", id: `c${from}`, receiverThreadIds };
      server.say({ method: "item/started", params: { threadId: "T", turnId: "U", item } });
    };
    const usage = (totalTokens: number): object => {
      const counts = {
        totalTokens,
        inputTokens: totalTokens,
        outputTokens: 0,
        cachedInputTokens: 0,
        reasoningOutputTokens: 0,
      };
      return { total: counts, last: counts, modelContextWindow: null };
    };
    const works = (threadId: string, tokens: number): void =>
      server.say(
        { method: "turn/started", params: { threadId, turn: { id: "a", items: [], status: "inProgress" } } },
        { method: "thread/tokenUsage/updated", params: { threadId, turnId: "a", tokenUsage: usage(tokens) } },
        { method: "turn/completed", params: { threadId, turn: { id: "a", items: [], status: "completed" } } },
      );
    announce(0, 1);
    works("agent-0", 7);
    announce(1, 10_000);
    const before = await heap();
    for (let each = 10_000; each < 100_000; each += 10_000) announce(each, 10_000);
    expect(((await heap()) - before) / 90_000).toBeLessThan(150);
    announce(200_000, 1);
    works("agent-200000", 30);
    // A thread that was dropped is a sub-agent again when its parent names it again.
    announce(1, 1);
    works("agent-1", 400);
    server.say({
      method: "turn/completed",
      params: { threadId: "T", turn: { id: "U", items: [], status: "completed" } },
    });
    expect((await run.result).usage.totalTokens).toBe(437);
  },
  SLOW,
);

verifies(
  "security.s49",
  "rate limits with made-up ids replace each other, and the account's own limits stay",
  () => {
    const main = { limitId: "codex", primary: { usedPercent: 5 } } as never;
    let state = mergeLimits(undefined, main);
    for (let each = 0; each < 2_000; each++) state = mergeLimits(state, { limitId: `l${each}` } as never);
    expect(Object.keys(state.rateLimitsByLimitId ?? {})).toHaveLength(128);
    expect(state.rateLimitsByLimitId?.["codex"]).toMatchObject({ primary: { usedPercent: 5 } });
    expect(state.rateLimits).toMatchObject({ limitId: "codex" });
  },
);
