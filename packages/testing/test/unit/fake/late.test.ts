import { expect } from "vitest";
import { exec, fakeAppServer, reply, type Fault, type FakeAppServer } from "@codexwright/testing";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { namesOf, RawClient } from "./raw.ts";

const FAKE: VerifiesOptions = { against: "fake", timeoutMs: 30_000 };
const INPUT = [{ type: "text", text: "go" }];
const SIGNAL = new AbortController().signal;
const DELAY_MS = 40;

function slow(...faults: readonly Fault[]): FakeAppServer {
  return fakeAppServer({
    model: ({ index }) => (index === 0 ? exec("true") : reply("all of it", { deltas: 3 })),
    approvalPolicy: "untrusted",
    faults,
  });
}

/** The names of all messages of one turn, each with the time since the previous message. */
async function turnOn(fake: FakeAppServer): Promise<{ names: string[]; gaps: Map<string, number> }> {
  await using client = await RawClient.connect(await fake.transport(SIGNAL));
  const { result } = await client.request(1, "thread/start", {});
  const threadId = result?.thread.id;
  const asked = client.notification("item/commandExecution/requestApproval");
  const completed = client.notification("turn/completed");
  await client.request(2, "turn/start", { threadId, input: INPUT });
  client.send({ id: (await asked).id, result: { decision: "accept" } });
  await completed;
  const read = client.read.slice(namesOf(client.read).indexOf("thread/started") + 1);
  const names = namesOf(read);
  const gaps = read.map(({ atMs }, at) => [names[at] ?? "", atMs - (read[at - 1]?.atMs ?? atMs)] as const);
  // If a name is repeated, the first message counts, as it does for a fault.
  return { names, gaps: new Map(gaps.toReversed()) };
}

for (const [on, shown] of [
  ["turn/started", "turn/started"],
  ["item/started", "item/started userMessage"],
  ["item/agentMessage/delta", "item/agentMessage/delta"],
  ["delta", "item/agentMessage/delta"],
  ["item/commandExecution/requestApproval", "item/commandExecution/requestApproval"],
  ["serverRequest/resolved", "serverRequest/resolved"],
  ["turn/completed", "turn/completed"],
] as const) {
  verifies(
    "testing.fake.faults.late",
    `${on} is delayed by the requested time, and no later message overtakes it`,
    async () => {
      await using plain = slow();
      await using fake = slow({ on, fault: { delayMs: DELAY_MS } });
      const { names } = await turnOn(plain);
      const late = await turnOn(fake);
      expect(late.names).toEqual(names);
      // A timer may fire a moment early.
      expect(late.gaps.get(shown)).toBeGreaterThan(DELAY_MS - 5);
    },
    FAKE,
  );
}

verifies(
  "testing.fake.faults.late",
  "bad lines, delays and duplicates of one message do not change the order of the others",
  async () => {
    await using fake = slow(
      { on: "turn/started", fault: { delayMs: 5 } },
      { on: "item/started", fault: "hugeLine" },
      { on: "item/completed", fault: "duplicate" },
      { on: "item/completed", nth: 2, fault: { delayMs: 5 } },
    );
    await using plain = slow();
    const { names } = await turnOn(plain);
    const late = (await turnOn(fake)).names;
    const warning = late.indexOf("warning", late.indexOf("turn/started"));
    const doubled = late.indexOf("item/completed userMessage");
    expect(late[doubled + 1]).toBe("item/completed userMessage");
    expect(late.filter((_, at) => at !== warning && at !== doubled)).toEqual(names);
  },
  FAKE,
);

verifies(
  "testing.fake.faults.late",
  "a delayed request delays later requests for its own thread only",
  async () => {
    await using fake = slow({ on: "thread/name/set", fault: { delayMs: DELAY_MS } });
    await using client = await RawClient.connect(await fake.transport(SIGNAL));
    const slowId = (await client.request(1, "thread/start", {})).result?.thread.id;
    const otherId = (await client.request(2, "thread/start", {})).result?.thread.id;
    const answers = [
      client.request(3, "thread/name/set", { threadId: slowId, name: "late" }),
      client.request(4, "thread/read", { threadId: slowId }),
      client.request(5, "thread/read", { threadId: otherId }),
      client.request(6, "model/list", {}),
    ];
    const read = await Promise.all(answers);
    expect(read.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined]);
    const order = namesOf(client.read).filter((name) => /answer [3-6]/.test(name));
    expect(order).toEqual(["answer 5", "answer 6", "answer 3", "answer 4"]);
    expect(read[1]?.result?.thread).toMatchObject({ name: "late" });
  },
  FAKE,
);

verifies(
  "testing.fake.faults.late",
  "a server that starts late answers requests that were sent before it started",
  async () => {
    await using fake = slow({ on: "initialize", fault: { delayMs: DELAY_MS } });
    await using client = new RawClient(await fake.transport(SIGNAL));
    const answers = [
      client.request(0, "initialize", { clientInfo: { name: "raw", version: "1" } }),
      client.request(1, "thread/start", {}),
    ];
    client.send({ method: "initialized" });
    expect((await Promise.all(answers)).map(({ error }) => error)).toEqual([undefined, undefined]);
  },
  FAKE,
);

verifies(
  "testing.fake.faults.late",
  "a connection that closes while a message is delayed ends immediately",
  async () => {
    await using fake = slow(
      { on: "turn/started", fault: { delayMs: 600_000 } },
      { on: "model/list", fault: { delayMs: 600_000 } },
    );
    await using client = await RawClient.connect(await fake.transport(SIGNAL));
    const { result } = await client.request(1, "thread/start", {});
    client.send({ id: 2, method: "model/list", params: {} });
    await client.request(3, "turn/start", { threadId: result?.thread.id, input: INPUT });
    await client[Symbol.asyncDispose]();
    await fake[Symbol.asyncDispose]();
    expect(namesOf(client.read)).not.toContain("turn/started");
  },
  FAKE,
);

verifies(
  "testing.fake.faults.late",
  "a rejection because of overload does not overtake a delayed notification",
  async () => {
    await using fake = slow(
      { on: "thread/started", fault: { delayMs: DELAY_MS } },
      { on: "model/list", fault: "overload" },
    );
    await using client = await RawClient.connect(await fake.transport(SIGNAL));
    await client.request(1, "thread/start", {});
    const refused = await client.request(2, "model/list", {});
    expect(refused.error?.code).toBe(-32_001);
    expect(namesOf(client.read).slice(-2)).toEqual(["thread/started", "answer 2"]);
  },
  FAKE,
);
