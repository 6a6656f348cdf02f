import path from "node:path";
import { expect } from "vitest";
import type { Transport } from "codexwright/rpc";
import { exec, fakeAppServer, reasoning, reply, type FakeAppServer } from "@codexwright/testing";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { namesOf, RawClient } from "./raw.ts";

const FAKE: VerifiesOptions = { against: "fake", timeoutMs: 30_000 };
const INPUT = [{ type: "text", text: "go" }];
const SIGNAL = new AbortController().signal;

/** Connects to the fake in memory, over a websocket and over a unix socket. */
async function carriers(fake: FakeAppServer): Promise<Record<string, () => Transport | Promise<Transport>>> {
  const { url } = await fake.listen("ws://127.0.0.1:0");
  const file = path.join(path.dirname(fake.cwd), "socket");
  await fake.listen(`unix://${file}`);
  return {
    memory: () => fake.transport(SIGNAL),
    websocket: () => websocket(url)(SIGNAL),
    unix: () => unixSocket(file)(SIGNAL),
  };
}

async function startThread(client: RawClient): Promise<string> {
  const { result } = await client.request(1, "thread/start", { approvalPolicy: "untrusted" });
  return result?.thread.id ?? "";
}

verifies(
  "testing.fake.pace",
  "on every transport, each step of a turn arrives in its own read, after the answer",
  async () => {
    await using fake = fakeAppServer({
      model: () => [
        reasoning("think"),
        reply("first", { phase: "commentary" }),
        reply("all of it", { deltas: 3 }),
      ],
    });
    for (const [name, open] of Object.entries(await carriers(fake))) {
      await using client = await RawClient.connect(await open());
      const threadId = await startThread(client);
      const from = client.read.length;
      const completed = client.notification("turn/completed");
      await client.request(2, "turn/start", { threadId, input: INPUT });
      await completed;
      const read = client.read.slice(from);
      const names = namesOf(read);
      const steps = [
        "answer 2",
        "turn/started",
        "item/started userMessage",
        "item/started reasoning",
        "item/started agentMessage",
        "thread/tokenUsage/updated",
        "turn/completed",
      ].map((step) => read[names.indexOf(step)]?.task ?? -1);
      const apart = steps.every((task, at) => at === 0 || task > (steps[at - 1] ?? task));
      expect({ name, apart, names: apart ? [] : names }).toEqual({ name, apart: true, names: [] });
    }
  },
  FAKE,
);

verifies(
  "testing.fake.pace",
  "a client that listens only after the answer misses no event of the turn, on every transport",
  async () => {
    await using fake = fakeAppServer({ model: () => reply("all of it") });
    for (const open of Object.values(await carriers(fake))) {
      await using client = await RawClient.connect(await open());
      const threadId = await startThread(client);
      await client.request(2, "turn/start", { threadId, input: INPUT });
      const started = client.notification("turn/started");
      const completed = client.notification("turn/completed");
      expect((await started).params?.threadId).toBe(threadId);
      await completed;
    }
  },
  FAKE,
);

verifies(
  "testing.fake.pace",
  "a turn that is interrupted at its first event has not called the model",
  async () => {
    await using fake = fakeAppServer({ model: ({ index }) => (index < 2 ? exec("true") : reply("done")) });
    await using client = await RawClient.connect(await fake.transport(SIGNAL));
    const threadId = await startThread(client);
    const started = client.notification("turn/started");
    const completed = client.notification("turn/completed");
    await client.request(2, "turn/start", { threadId, input: INPUT });
    const { turn } = (await started).params as unknown as { turn: { id: string } };
    const answer = await client.request(3, "turn/interrupt", { threadId, turnId: turn.id });
    expect(answer.error).toBe(undefined);
    expect((await completed).params).toMatchObject({ turn: { status: "interrupted" } });
    expect(fake.requests).toEqual([]);
  },
  FAKE,
);
