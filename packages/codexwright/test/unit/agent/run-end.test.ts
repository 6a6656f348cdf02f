import {
  CodexAgent,
  createSession,
  definePrompt,
  provide,
  resource,
  RunLog,
  section,
  tool,
  type AgentToolContext,
} from "codexwright/agent";
import { CodexClient } from "codexwright/client";
import { fail, fakeAppServer, reply, toolCall } from "@codexwright/testing";
import { setImmediate as nextTick } from "node:timers/promises";
import { expect } from "vitest";
import { z } from "zod";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeClock } from "./plan.ts";
import { eventsOf, fakeWorld, plain } from "./run-world.ts";

const FAKE = { against: "fake" } as const;

/** Advances the clock by grace periods until the promise has settled. */
async function timePasses(clock: ReturnType<typeof fakeClock>, until: Promise<unknown>): Promise<void> {
  const settled = new AbortController();
  const settle = (): void => settled.abort();
  until.then(settle, settle);
  while (!settled.signal.aborted) {
    clock.advance(5_001);
    await nextTick();
  }
}

interface Database extends AsyncDisposable {
  readonly name: string;
}

const Db = resource<Database>("db");

verifies(
  ["agent.R75", "agent.resources"],
  "a deadline ends a run whose resource does not open; a resource that opens late is disposed",
  async () => {
    for (const scope of ["run", "call"] as const) {
      const clock = fakeClock(0);
      const [asked, opening, disposed] = [deferred(), deferred<Database>(), deferred()];
      const query = tool({
        name: "query",
        description: "Asks.",
        input: z.object({}),
        async run(_, { resources }: AgentToolContext) {
          return (await resources.get(Db)).name;
        },
      });
      const open = async (): Promise<Database> => {
        asked.resolve();
        return await opening.promise;
      };
      const prompt = definePrompt({
        id: "db",
        sections: [section({ key: "a", title: "A", tools: [query] })],
        resources: [provide(Db, open, { scope })],
      });
      await using world = await fakeWorld(
        { model: [toolCall("query", {}), reply("done")] },
        { agent: { clock } },
      );
      const run = world.agent.run(prompt, { deadlineMs: 100 });
      await asked.promise;
      clock.advance(101);
      // The tool does not end within its grace time.
      const refusal = rejection(run.result);
      await timePasses(clock, refusal);
      expect(await refusal).toMatchObject({ code: "deadline_exceeded" });
      opening.resolve({
        name: "late",
        [Symbol.asyncDispose]: async () => Promise.resolve(disposed.resolve()),
      });
      await disposed.promise;
    }
  },
  FAKE,
);

verifies(
  ["agent.run.stop", "agent.resources"],
  "a resource whose disposal never ends delays a stopped run only by the grace time",
  async () => {
    for (const scope of ["run", "call"] as const) {
      const clock = fakeClock(0);
      const [opened, disposing] = [deferred(), deferred()];
      const query = tool({
        name: "query",
        description: "Asks.",
        input: z.object({}),
        async run(_, { resources, signal }: AgentToolContext) {
          await resources.get(Db);
          opened.resolve();
          await new Promise((resolve) => {
            signal.addEventListener("abort", resolve);
          });
        },
      });
      const stuck = {
        name: "stuck",
        [Symbol.asyncDispose]: async () => {
          disposing.resolve();
          await new Promise(() => {});
        },
      };
      const prompt = definePrompt({
        id: "stuck",
        sections: [section({ key: "a", title: "A", tools: [query] })],
        resources: [provide(Db, () => stuck, { scope })],
      });
      await using world = await fakeWorld(
        { model: [toolCall("query", {}), reply("done")] },
        { agent: { clock } },
      );
      const run = world.agent.run(prompt);
      await opened.promise;
      const interrupted = run.interrupt();
      await disposing.promise;
      await timePasses(clock, interrupted);
      expect(await rejection(run.result)).toMatchObject({ code: "turn_interrupted" });
    }
  },
  FAKE,
);

verifies(
  ["agent.run.stop", "agent.tools.abort"],
  "an interrupted run ends after the rollback of its tools, and reports their calls",
  async () => {
    const [working, rollback] = [deferred(), deferred()];
    const told: string[] = [];
    const Slow = resource<object>("slow");
    const work = tool({
      name: "work",
      description: "Works.",
      input: z.object({}),
      async run(_, { resources, signal }: AgentToolContext) {
        await resources.get(Slow);
        working.resolve();
        await new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        });
      },
    });
    const prompt = definePrompt({
      id: "slow",
      sections: [section({ key: "a", title: "A", tools: [work] })],
      resources: [
        provide(Slow, () => ({
          snapshot: () => 1,
          restore: async () => {
            await rollback.promise;
            told.push("restored");
          },
          [Symbol.dispose]: () => void told.push("disposed"),
        })),
      ],
    });
    await using world = await fakeWorld({ model: [toolCall("work", {}), reply("done")] });
    const session = createSession({ slices: [] });
    const run = world.agent.run(prompt, { session });
    await working.promise;
    const ended = run.interrupt().then(() => told.push("ended"));
    for (let turns = 0; turns < 100; turns++) await nextTick();
    expect(told).toEqual([]);
    rollback.resolve();
    await ended;
    // `restore` is called once at the abort, and once when the tool has actually ended.
    expect(told).toEqual(["restored", "restored", "disposed", "ended"]);
    expect(eventsOf(run, "tool.invoked")).toMatchObject([{ name: "work", error: { kind: "aborted" } }]);
    expect(session.get(RunLog).map(({ type }) => type)).toEqual([
      "prompt.rendered",
      "thread.started",
      "tool.invoked",
      "prompt.executed",
    ]);
  },
  FAKE,
);

verifies(
  "agent.R76",
  "a deadline ends a run whose output schema never settles",
  async () => {
    const clock = fakeClock(0);
    const asked = deferred();
    const never = z.object({
      n: z.string().refine(async () => {
        asked.resolve();
        return await new Promise<boolean>(() => {});
      }),
    });
    const prompt = definePrompt({
      id: "never",
      sections: [section({ key: "a", title: "A" })],
      output: never,
    });
    await using world = await fakeWorld({ model: [reply('{"n":"1"}')] }, { agent: { clock } });
    const run = world.agent.run(prompt, { deadlineMs: 100 });
    await asked.promise;
    clock.advance(101);
    expect(await rejection(run.result)).toMatchObject({ code: "deadline_exceeded" });
  },
  FAKE,
);

verifies(
  "agent.run.retry",
  "does not retry a turn that has started a sub-agent",
  async () => {
    let spawned = 0;
    await using world = await fakeWorld({
      model: ({ input }) => {
        const said = JSON.stringify(input);
        if (said.includes("agent_id")) return fail(429);
        if (said.includes("Do half of it.")) return reply("half");
        spawned++;
        return toolCall("spawn_agent", { message: "Do half of it." }, { namespace: "multi_agent_v1" });
      },
    });
    const run = world.agent.run(plain, { retry: { attempts: 2, baseMs: 1 } });
    expect(await rejection(run.result)).toMatchObject({ retryable: true });
    expect(spawned).toBe(1);
    expect(eventsOf(run, "retrying")).toEqual([]);
  },
  FAKE,
);

verifies(
  "agent.run.setup-deadline",
  "closing an agent does not wait forever for a server that never connects, and stops one that connects late",
  async () => {
    const clock = fakeClock(0);
    const asked = deferred();
    const coming = deferred<CodexClient>();
    await using fake = fakeAppServer({ model: [] });
    const agent = await CodexAgent.open({
      clock,
      connect: async () => {
        asked.resolve();
        return await coming.promise;
      },
    });
    const run = agent.run(plain, { deadlineMs: 100 });
    await asked.promise;
    clock.advance(101);
    expect(await rejection(run.result)).toMatchObject({ code: "deadline_exceeded" });
    await timePasses(clock, agent[Symbol.asyncDispose]());
    const late = await CodexClient.connect({ transport: fake.transport });
    coming.resolve(late);
    await nextTick();
    expect(await rejection(late.request("model/list", {}))).toMatchObject({ code: "not_connected" });
  },
  FAKE,
);

verifies(
  "agent.R14",
  "a prompt id may be the name of a property of Object.prototype",
  async () => {
    await using world = await fakeWorld({ model: [reply("done")] });
    const prompt = definePrompt({ id: "constructor", sections: [section({ key: "a", title: "A" })] });
    const run = world.agent.run(prompt, { session: createSession({ slices: [] }), reuseThread: true });
    await run.result;
    const [started] = eventsOf(run, "thread.started");
    expect(started).toMatchObject({ reused: false });
    expect(started).not.toHaveProperty("reason");
  },
  FAKE,
);
