import { expect } from "vitest";
import { EngineServer, type ModelEvent, type Pace } from "@codexwright/engine";
import { deferred } from "@codexwright/test-support/events";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { completed, message, modelOf, optionsOf, type Answer } from "../ports.ts";
import { inputOf, RawClient } from "../raw-client.ts";

const DONE: readonly ModelEvent[] = [...message("m", "done"), completed];

/** An answer that begins, and goes on when its signal aborts. */
const endless: Answer = async function* (_, signal) {
  yield* message("m", "half").slice(0, 2);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  signal.throwIfAborted();
};

verifies(
  "engine.loop.one-turn",
  "a review or a compaction ends the turn that runs, and can be interrupted",
  async () => {
    for (const method of ["review/start", "thread/compact/start"]) {
      const model = modelOf(endless, endless, DONE);
      await using server = new EngineServer(optionsOf(model));
      const client = await RawClient.connect(server);
      const threadId = await client.startThread();
      await client.startTurn(threadId, "go");
      await client.told("item/agentMessage/delta");
      await client.call(method, { threadId, target: { type: "custom", instructions: "look" } });
      expect((await client.told("turn/completed")).params?.turn?.status).toBe("interrupted");
      const turnId = (await client.told("turn/started", 2)).params?.turn?.id;
      await until(() => model.requests.length === 2);
      expect(await client.call("turn/interrupt", { threadId, turnId })).toMatchObject({ result: {} });
      expect((await client.told("turn/completed", 2)).params?.turn?.status).toBe("interrupted");
      await client.startTurn(threadId, "again");
      expect((await client.told("turn/completed", 3)).params?.turn?.status).toBe("completed");
      await client.close();
    }
  },
);

verifies("engine.loop.one-turn", "input for a review or a compaction is refused, not lost", async () => {
  for (const method of ["review/start", "thread/compact/start"]) {
    await using server = new EngineServer(optionsOf(modelOf(endless)));
    const client = await RawClient.connect(server);
    const threadId = await client.startThread();
    await client.call(method, { threadId, target: { type: "custom", instructions: "look" } });
    await client.told("turn/started");
    expect((await client.startTurn(threadId, "and this")).error?.message).toMatch(/^cannot steer a /);
    await client.close();
  }
});

verifies(
  "engine.loop.steer",
  "input that arrives when the last response has ended is answered in the turn",
  async () => {
    let client: RawClient | undefined;
    let threadId = "";
    let steps = Number.POSITIVE_INFINITY;
    const model = modelOf(async function* () {
      yield* message("m", "done");
      steps = 2;
      yield completed;
    }, DONE);
    const steered: unknown[] = [];
    const pace: Pace = {
      turn: () => Promise.resolve(),
      // The second pause after the response is between the work of the turn and its end.
      step: async () => {
        if (--steps !== 0) return;
        const expectedTurnId = client?.all("turn/started")[0]?.params?.turn?.id;
        steered.push(await client?.call("turn/steer", { threadId, input: inputOf("late"), expectedTurnId }));
      },
    };
    await using server = new EngineServer(optionsOf(model, { pace }));
    client = await RawClient.connect(server);
    threadId = await client.startThread();
    await client.startTurn(threadId, "go");
    await client.told("turn/completed");
    expect(steered).toMatchObject([{ result: {} }]);
    expect(JSON.stringify(model.requests[1]?.input)).toContain("late");
    expect(client.all("turn/completed")).toHaveLength(1);
    await client.close();
  },
);

verifies(
  "engine.loop.interrupt",
  "a provider that ignores its signal does not hold up a compaction",
  async () => {
    const begun = deferred();
    const model = modelOf(async function* () {
      yield { type: "created" };
      begun.resolve();
      await new Promise(() => {});
    }, DONE);
    await using server = new EngineServer(optionsOf(model));
    const client = await RawClient.connect(server);
    const threadId = await client.startThread();
    await client.call("thread/compact/start", { threadId });
    await begun.promise;
    const turnId = (await client.told("turn/started")).params?.turn?.id;
    const interrupts = [1, 2, 3].map(() => client.call("turn/interrupt", { threadId, turnId }));
    expect((await client.told("turn/completed")).params?.turn?.status).toBe("interrupted");
    await Promise.all(interrupts);
    await client.close();
  },
);

verifies("engine.loop.one-turn", "a turn ends although `onFailure` throws", async () => {
  const model = modelOf(() => {
    throw new Error("broken port");
  });
  const onFailure = (): never => {
    throw new Error("broken listener");
  };
  await using server = new EngineServer(optionsOf(model, { onFailure }));
  const client = await RawClient.connect(server);
  await client.startTurn(await client.startThread(), "go");
  expect((await client.told("turn/completed")).params?.turn?.status).toBe("failed");
  await client.close();
});

verifies("engine.loop.odd", "answers and items of any shape do not fail a turn", async () => {
  const answers = [
    "null",
    "[]",
    '"text"',
    '{"findings":5}',
    '{"findings":[null]}',
    '{"findings":[{"title":1}]}',
    '{"overall_explanation":{}}',
  ];
  for (const text of answers) {
    await using server = new EngineServer(optionsOf(modelOf([...message("m", text), completed])));
    const client = await RawClient.connect(server);
    const threadId = await client.startThread();
    await client.call("review/start", { threadId, target: { type: "custom", instructions: "look" } });
    expect((await client.told("turn/completed")).params?.turn?.status).toBe("completed");
    expect(JSON.stringify(client.all("item/completed"))).toContain(JSON.stringify(text).slice(1, -1));
    await client.close();
  }
  const items = [
    null,
    [],
    { type: "message", id: "x", content: [null, 5] },
    { type: "reasoning", id: "y", summary: [null], content: [[]] },
    { type: "web_search_call", action: 7 },
  ] as unknown as Readonly<Record<string, unknown>>[];
  const events = items.flatMap((item): ModelEvent[] => [
    { type: "itemAdded", item },
    { type: "itemDone", item },
  ]);
  await using server = new EngineServer(optionsOf(modelOf([...events, ...DONE], DONE)));
  const client = await RawClient.connect(server);
  const threadId = await client.startThread();
  for (const nth of [1, 2]) {
    await client.startTurn(threadId, "go");
    expect((await client.told("turn/completed", nth)).params?.turn?.status).toBe("completed");
  }
  for (const wrong of [null, "x", {}, { type: 5 }]) {
    const refused = await client.call("thread/inject_items", { threadId, items: [wrong] });
    expect(refused.error?.code).toBe(-32600);
  }
  await client.close();
});
