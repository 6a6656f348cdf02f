import { expect } from "vitest";
import { EngineServer, type Lease, type ThreadStore } from "@codexwright/engine";
import { rolloutStore } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";
import { optionsOf } from "../ports.ts";
import { ManualClock } from "../providers/manual-clock.ts";
import { inputOf, RawClient } from "../raw-client.ts";
import { echo, temporaryHome, type Home } from "./home.ts";

const HALF_AN_HOUR = 1_800_000;

function serverOn(home: Home, clock: ManualClock, store: ThreadStore): EngineServer {
  return new EngineServer(optionsOf(echo(), { home: home.path, store, clock }));
}

/** Lets half an hour pass until the server has no loaded thread. */
async function unloaded(client: RawClient, clock: ManualClock): Promise<void> {
  for (;;) {
    const { result } = await client.call("thread/loaded/list");
    if ((result as { data: string[] }).data.length === 0) return;
    clock.advance(HALF_AN_HOUR);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A thread with one turn. */
async function begun(client: RawClient): Promise<string> {
  const threadId = await client.startThread();
  await client.startTurn(threadId, "one");
  await client.told("turn/completed");
  return threadId;
}

verifies("engine.records.unload", "gives up the lock of a thread that no client uses", async () => {
  await using home = await temporaryHome();
  const clock = new ManualClock();
  await using server = serverOn(home, clock, rolloutStore({ home: home.path }));
  await using other = serverOn(home, new ManualClock(), rolloutStore({ home: home.path }));
  const [client, watcher, elsewhere] = [
    await RawClient.connect(server),
    await RawClient.connect(server),
    await RawClient.connect(other),
  ];
  const threadId = await begun(client);
  const resume = (): ReturnType<RawClient["call"]> => elsewhere.call("thread/resume", { threadId });
  await client.call("thread/unsubscribe", { threadId });
  await clock.waitFor(HALF_AN_HOUR);
  clock.advance(HALF_AN_HOUR - 1);
  expect((await resume()).error?.message).toContain("writer");
  // A client that comes back in time keeps the thread, and the wait begins anew when it leaves.
  await client.call("thread/resume", { threadId });
  clock.advance(HALF_AN_HOUR);
  expect((await resume()).error?.message).toContain("writer");
  await client.close();
  await clock.waitFor(HALF_AN_HOUR);
  clock.advance(HALF_AN_HOUR);
  await watcher.told("thread/closed");
  expect((await resume()).error).toBeUndefined();
  expect(clock.pending).toBe(0);
  expect(server.failures).toEqual([]);
});

verifies("engine.records.unload", "leaves no thread behind at whatever moment a client leaves", async () => {
  for (const method of ["thread/start", "thread/resume", "thread/fork", "turn/start"]) {
    for (const turns of [0, 1, 2, 4, 8, 16, 64]) {
      await using home = await temporaryHome();
      const clock = new ManualClock();
      await using server = serverOn(home, clock, rolloutStore({ home: home.path }));
      const [first, watcher] = [await RawClient.connect(server), await RawClient.connect(server)];
      const threadId = await begun(first);
      await first.close();
      if (method === "thread/resume") await unloaded(watcher, clock);
      const client = await RawClient.connect(server);
      void client.call(method, { threadId, input: inputOf("two") });
      for (let n = 0; n < turns; n++) await new Promise((resolve) => setImmediate(resolve));
      await client.close();
      await unloaded(watcher, clock);
      await using other = serverOn(home, new ManualClock(), rolloutStore({ home: home.path }));
      const elsewhere = await RawClient.connect(other);
      // The lock may still be on its way, or the request was served after all. If the lock stays, this never ends.
      while ((await elsewhere.call("thread/resume", { threadId })).error) {
        clock.advance(HALF_AN_HOUR);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(server.failures).toEqual([]);
    }
  }
});

verifies("engine.records.unload", "a thread that is being unloaded can be opened again", async () => {
  await using home = await temporaryHome();
  const clock = new ManualClock();
  const store = rolloutStore({ home: home.path });
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let asked: () => void = () => {};
  const leaving = new Promise<void>((resolve) => (asked = resolve));
  const slow: ThreadStore = new Proxy(store, {
    get: (target, name) => {
      if (name !== "claim") return Reflect.get(target, name).bind(target) as unknown;
      return async (id: string): Promise<Lease> => {
        const lease = await target.claim(id);
        const free = lease.release.bind(lease);
        return Object.assign(lease, {
          release: async () => {
            asked();
            await released;
            await free();
          },
        });
      };
    },
  });
  await using server = serverOn(home, clock, slow);
  const client = await RawClient.connect(server);
  const threadId = await begun(client);
  await client.call("thread/unsubscribe", { threadId });
  await clock.waitFor(HALF_AN_HOUR);
  clock.advance(HALF_AN_HOUR);
  await leaving;
  const answer = client.call("thread/resume", { threadId });
  release();
  expect((await answer).error).toBeUndefined();
  await client.startTurn(threadId, "two");
  expect((await client.told("turn/completed", 2)).params?.turn?.status).toBe("completed");
});

verifies("engine.records.unload", "settings survive that a client changed after the last turn", async () => {
  await using home = await temporaryHome();
  const clock = new ManualClock();
  await using server = serverOn(home, clock, rolloutStore({ home: home.path }));
  const [client, watcher] = [await RawClient.connect(server), await RawClient.connect(server)];
  const threadId = await begun(client);
  const settings = { model: "next", effort: "high", approvalPolicy: "never" };
  const sandboxPolicy = { type: "workspaceWrite", writableRoots: ["/srv"], networkAccess: true };
  await client.call("thread/settings/update", { threadId, ...settings, sandboxPolicy });
  await client.close();
  await unloaded(watcher, clock);
  const { result } = await watcher.call("thread/resume", { threadId });
  expect(result).toMatchObject({
    model: "next",
    reasoningEffort: "high",
    approvalPolicy: "never",
    sandbox: sandboxPolicy,
  });
});

verifies("engine.records.unload", "a server that closes waits for nothing", async () => {
  await using home = await temporaryHome();
  const clock = new ManualClock();
  const server = serverOn(home, clock, rolloutStore({ home: home.path }));
  const client = await RawClient.connect(server);
  const threadId = await begun(client);
  await client.call("thread/unsubscribe", { threadId });
  await clock.waitFor(HALF_AN_HOUR);
  await server.close();
  expect(clock.pending).toBe(0);
});
