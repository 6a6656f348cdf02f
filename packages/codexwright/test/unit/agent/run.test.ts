import { CodexClient as NodeClient } from "codexwright";
import { CodexClient } from "codexwright/client";
import {
  CodexAgent,
  createSession,
  definePrompt,
  RunLog,
  section,
  slice,
  tool,
  type AgentError,
  type AgentEvent,
} from "codexwright/agent";
import { memoryPair } from "codexwright/rpc";
import { exec, gate, outputItem, reply, streamFail, toolCall } from "@codexwright/testing";
import { expect } from "vitest";
import { z } from "zod";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeClock } from "./plan.ts";
import { completed, eventsOf, fakeWorld, oneTurn, plain } from "./run-world.ts";

const FAKE = { against: "fake" } as const;

verifies(
  ["agent.R5", "agent.R90"],
  "fails the run if the codex program does not exist, and names it",
  async () => {
    await using agent = await CodexAgent.open({
      connect: async () => NodeClient.connect({ codexPath: "/nowhere/codex" }),
    });
    const run = agent.run(plain);
    const error = await rejection(run.result);
    expect(error).toMatchObject({ code: "codex_not_found", phase: "request" });
    expect((error as Error).message).toContain("/nowhere/codex");
    expect(run.events.map(({ type }) => type)).toEqual(["prompt.rendered", "prompt.executed"]);
  },
);

verifies("agent.R10", "fails the run if the handshake takes too long", async () => {
  await using agent = await CodexAgent.open({
    connect: async () => CodexClient.connect({ transport: () => memoryPair()[0], startupTimeoutMs: 20 }),
  });
  expect(await rejection(agent.run(plain).result)).toMatchObject({
    code: "startup_timeout",
    phase: "request",
  });
});

verifies(
  ["agent.R76", "agent.run.setup-deadline"],
  "an expired deadline starts nothing, and one that passes during set-up ends it",
  async () => {
    const clock = fakeClock(1000);
    const connecting = deferred<CodexClient>();
    const disconnected = deferred();
    let connects = 0;
    await using agent = await CodexAgent.open({
      clock,
      spawn: "per-run",
      connect: async () => {
        connects++;
        return await connecting.promise;
      },
    });
    const expired = agent.run(plain, { deadlineMs: 0 });
    expect(await rejection(expired.result)).toMatchObject({ code: "deadline_exceeded", phase: "request" });
    expect(connects).toBe(0);
    expect(expired.events).toMatchObject([{ type: "prompt.executed", seq: 0, at: 1000 }]);

    const late = agent.run(plain, { deadlineMs: 500 });
    await Promise.resolve();
    clock.advance(501);
    expect(await rejection(late.result)).toMatchObject({ code: "deadline_exceeded", phase: "request" });
    expect(connects).toBe(1);
    // A server that connects too late is not left running.
    connecting.resolve({
      on: () => {},
      onServerRequest: () => () => {},
      disconnect: async () => Promise.resolve(disconnected.resolve()),
    } as unknown as CodexClient);
    await disconnected.promise;
  },
);

verifies(
  ["agent.R112", "agent.run.stop"],
  "rejects invalid options immediately; a closed agent runs nothing",
  async () => {
    const world = await fakeWorld({ model: [] });
    await using _ = world;
    const run = (options: object) => () => world.agent.run(plain, options);
    expect(run({ cwd: "relative" })).toThrow("cwd must be an absolute path");
    expect(run({ seed: 1 })).toThrow("Codex does not support seed");
    expect(run({ repair: -1 })).toThrow("repair must be an integer ≥ 0 (got -1)");
    expect(run({ budget: {} })).toThrow("at least one");
    expect(run({ cwd: "/", workspace: {} })).toThrow("one folder");
    expect(await rejection(CodexAgent.open({} as never))).toMatchObject({ code: "invalid_argument" });
    expect(
      await rejection(CodexAgent.open({ connect: async () => Promise.reject(new Error("x")), cwd: "x" })),
    ).toMatchObject({ code: "invalid_argument" });
    const missing = world.agent.run(plain, { cwd: "/no/such/folder" });
    expect(await rejection(missing.result)).toMatchObject({ code: "invalid_argument", phase: "request" });
    const wrong = definePrompt({
      id: "typed",
      input: z.object({ n: z.number() }),
      sections: [section({ key: "a", title: "A", body: "x" })],
    });
    const invalid = world.agent.run(wrong, { input: { n: "1" as never } });
    expect(await rejection(invalid.result)).toMatchObject({ code: "invalid_argument", phase: "request" });
    await world.agent[Symbol.asyncDispose]();
    expect(run({})).toThrow("the agent is closed");
  },
  FAKE,
);

verifies(
  ["agent.R36", "agent.R38", "agent.R39", "agent.R112"],
  "reports searches, ignores compaction and reasoning, and takes the last message as the answer",
  async () => {
    const search = {
      type: "web_search_call",
      id: "ws",
      status: "completed",
      action: { type: "search", query: "sea" },
    };
    await using world = await fakeWorld({ model: [[outputItem(search), reply("first"), reply("last")]] });
    const run = world.agent.run(plain);
    expect((await run.result).text).toBe("last");
    expect(eventsOf(run, "tool.invoked")).toMatchObject([
      { origin: "webSearch", name: "codex:web_search", ok: true, params: { query: "sea" } },
    ]);
  },
  FAKE,
);

verifies(
  ["agent.R40", "agent.R85", "agent.R57"],
  "ignores legacy notifications, and answers an unknown request with an error",
  async () => {
    using server = oneTurn([
      { send: { method: "codex/event/agent_message", params: { msg: { message: "old" } } } },
      { send: { id: 0, method: "something/new", params: { threadId: "thread" } } },
      { answered: 0 },
      completed({ type: "contextCompaction", id: "c" }),
      completed({ type: "agentMessage", id: "m", text: "new", phase: null }),
    ]);
    await using agent = await CodexAgent.open({
      connect: async () => CodexClient.connect({ transport: server.transport }),
    });
    const run = agent.run(plain);
    expect((await run.result).text).toBe("new");
    expect(server.received.find(({ id, method }) => id === 0 && method === undefined)).toMatchObject({
      error: { code: -32601 },
    });
  },
  FAKE,
);

verifies(
  "tools.once",
  "runs a call once if the server requests it again, and answers with the same result",
  async () => {
    const call = {
      threadId: "thread",
      turnId: "turn",
      callId: "c",
      namespace: null,
      tool: "count",
      arguments: {},
    };
    using server = oneTurn([
      { send: { id: 0, method: "item/tool/call", params: call } },
      { answered: 0 },
      { send: { id: 1, method: "item/tool/call", params: call } },
      { answered: 1 },
    ]);
    await using agent = await CodexAgent.open({
      connect: async () => CodexClient.connect({ transport: server.transport }),
    });
    let runs = 0;
    const counting = tool({
      name: "count",
      description: "d",
      input: z.object({}),
      run: () => `run ${++runs}`,
    });
    await agent.run(
      definePrompt({
        id: "count",
        sections: [section({ key: "a", title: "A", body: "Go.", tools: [counting] })],
      }),
    ).result;
    const answers = server.received.filter(({ method }) => method === undefined).slice(-2);
    const run = { result: { success: true, contentItems: [{ type: "inputText", text: "run 1" }] } };
    expect(answers).toMatchObject([run, run]);
    expect(runs).toBe(1);
  },
  FAKE,
);

verifies(
  ["agent.R106", "agent.R78"],
  "fails the run with the end of stderr if the server crashes in a turn",
  async () => {
    using server = oneTurn([{ stderr: "out of luck\n" }, { exit: 3 }, { on: "never" }]);
    await using agent = await CodexAgent.open({
      connect: async () => NodeClient.connect({ codexPath: server.executable }),
    });
    const error = await rejection(agent.run(plain).result);
    expect(error).toMatchObject({ code: "connection_closed", phase: "response", cause: { exitCode: 3 } });
    expect((error as AgentError).stderrTail).toContain("out of luck");
  },
  FAKE,
);

verifies(
  "agent.run.approvals",
  "the handlers of the agent answer questions, or fail the run",
  async () => {
    const question = {
      id: "q",
      header: "H",
      question: "Which?",
      options: [{ label: "A", description: "a" }],
    };
    const model = [toolCall("request_user_input", { questions: [question] }, { callId: "q" }), reply("done")];
    await using asked = await fakeWorld({ model }, { agent: { onUserInput: () => ({ q: "A" }) } });
    await asked.agent.run(plain).result;
    expect(asked.fake.requests[1]?.toolOutputs["q"]).toContain("A");
    await using failing = await fakeWorld({ model }, { agent: { onUserInput: "fail" } });
    expect(await rejection(failing.agent.run(plain).result)).toMatchObject({ code: "input_required" });
  },
  FAKE,
);

verifies(
  "agent.R107",
  "warns about events that the session cannot store, and continues the run",
  async () => {
    const Broken = slice("broken", {
      schema: z.number(),
      initial: 0,
      on: (on) => [
        on(RunLog.append, (state, { type }) => {
          if (type === "prompt.executed") throw new Error("no");
          return state;
        }),
      ],
    });
    await using world = await fakeWorld({ model: [reply("done")] });
    const run = world.agent.run(plain, { session: createSession({ slices: [Broken] }) });
    expect((await run.result).text).toBe("done");
    expect(eventsOf(run, "warning").at(-1)?.message).toContain("the session could not store prompt.executed");
    expect(run.events.at(-1)?.type).toBe("prompt.executed");
  },
  FAKE,
);

verifies(
  ["agent.run.completion", "agent.run.expansion"],
  "ends a run whose work is never complete, or whose sections are opened again and again",
  async () => {
    const never = definePrompt({
      id: "never",
      sections: [section({ key: "a", title: "A", body: "Go." })],
      completion: () => "Not yet.",
    });
    await using world = await fakeWorld({ model: () => reply("done") });
    const run = world.agent.run(never);
    expect(await rejection(run.result)).toMatchObject({ code: "incomplete", phase: "response" });
    expect(eventsOf(run, "prompt.continued")).toHaveLength(10);
    expect(world.fake.requests).toHaveLength(11);

    let folds = 0;
    const stubborn = definePrompt({
      id: "stubborn",
      sections: Array.from({ length: 12 }, (_, index) =>
        section({
          key: `s${index}`,
          title: "S",
          body: "x",
          summary: "y",
          visibility: "summary",
          tools: [tool({ name: `t${index}`, description: "d", input: z.object({}), run: () => "" })],
        }),
      ),
    });
    await using other = await fakeWorld({
      model: () => toolCall("open_sections", { section_keys: [`s${folds++}`], reason: "more" }),
    });
    const session = createSession({ slices: [] });
    const opening = other.agent.run(stubborn, { session });
    expect(await rejection(opening.result)).toMatchObject({ code: "expansion_required", phase: "request" });
    expect(eventsOf(opening, "prompt.expanded")).toHaveLength(10);
    expect(other.fake.requests).toHaveLength(11);
  },
  FAKE,
);

verifies(
  ["agent.R44", "agent.R87"],
  "does not reuse a thread that another run uses, and keeps concurrent runs apart",
  async () => {
    const held = gate();
    await using world = await fakeWorld({
      model: ({ index }) =>
        index === 1 ? [reply("slow", { deltas: ["sl", held, "ow"] })] : reply(`${index}`),
    });
    const session = createSession({ slices: [] });
    const options = { session, reuseThread: true };
    const first = await world.agent.run(plain, options).result;
    const second = world.agent.run(plain, options);
    await held.reached;
    const third = world.agent.run(plain, options);
    expect((await third.result).threadId).not.toBe(first.threadId);
    expect(eventsOf(third, "thread.started")).toMatchObject([
      { reused: false, reason: "the thread is in use" },
    ]);
    held.open();
    expect(await second.result).toMatchObject({ text: "slow", threadId: first.threadId });

    // Either run may get the thread; no run finds it busy.
    const pair = [world.agent.run(plain, options), world.agent.run(plain, options)];
    await Promise.all(pair.map(async ({ result }) => result));
    const reused = pair.map((run) => eventsOf(run, "thread.started")[0]?.reused);
    expect(reused).toContain(true);

    const many = Array.from({ length: 20 }, () => world.agent.run(plain));
    const results = await Promise.all(many.map(async ({ result }) => result));
    expect(new Set(results.map(({ text }) => text)).size).toBe(20);
    for (const [index, run] of many.entries()) {
      expect(eventsOf(run, "message").map(({ text }) => text)).toEqual([results[index]?.text]);
    }
    expect(world.connects).toBe(1);
  },
  FAKE,
);

verifies(
  "agent.run.iteration",
  "all readers get all events, whether they start early or late",
  async () => {
    await using world = await fakeWorld({
      model: [exec("ls", { output: "a" }), reply("done", { deltas: 4 })],
    });
    const run = world.agent.run(plain);
    const read = async (most = Infinity): Promise<AgentEvent[]> => {
      const seen: AgentEvent[] = [];
      for await (const event of run) if (seen.push(event) >= most) break;
      return seen;
    };
    const [all, some] = await Promise.all([read(), read(2)]);
    expect(all.length).toBeGreaterThan(6);
    expect(some).toEqual(all.slice(0, 2));
    expect(await read()).toEqual(all);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index));
  },
  FAKE,
);

verifies(
  "agent.run.stop",
  "reports a stream that is retried, and does not end the run",
  async () => {
    await using world = await fakeWorld({
      model: [streamFail("server_error"), reply("done")],
      streamRetries: 2,
    });
    const run = world.agent.run(plain);
    expect((await run.result).text).toBe("done");
    expect(eventsOf(run, "retrying")).toMatchObject([{ attempt: 1 }]);
  },
  FAKE,
);
