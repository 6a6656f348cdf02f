import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import {
  createSession,
  definePrompt,
  event,
  section,
  slice,
  tool,
  type AgentToolContext,
} from "codexwright/agent";
import { exec, fail, outputItem, reply, toolCall, usage } from "@codexwright/testing";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { agentWorld, eventsOf } from "./agent-world.ts";
import { PINNED } from "@codexwright/test-support/world";

const sections = [section({ key: "a", title: "A", body: "Go." })];
const plain = definePrompt({ id: "plain", sections });

verifies(
  "agent.run.retry",
  "retries a turn after a temporary error, unless a tool with effects ran in it",
  async () => {
    await using live = await agentWorld([
      fail(429),
      fail(429),
      reply("done"),
      exec("true"),
      fail(429),
      fail(500),
    ]);
    const retry = { attempts: 2, baseMs: 1 };
    const run = live.agent.run(plain, { retry });
    const { text, turns } = await run.result;
    expect([text, turns.length]).toEqual(["done", 3]);
    expect(eventsOf(run, "retrying").map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(await rejection(live.agent.run(plain, { retry }).result)).toMatchObject({ retryable: true });
    expect(await rejection(live.agent.run(plain, { retry }).result)).toMatchObject({ retryable: false });
    expect(live.model.unexpected).toEqual([]);
  },
  PINNED,
);

verifies(
  "agent.run.skills",
  "offers the skills of a section to the model while the section is shown in full",
  async () => {
    await using live = await agentWorld(() => reply("done"));
    const root = path.join(live.server.root, "skills");
    mkdirSync(path.join(root, "knots"), { recursive: true });
    writeFileSync(
      path.join(root, "knots/SKILL.md"),
      "---\nname: knots\ndescription: Ties sailor's knots.\n---\nTie them well.\n",
    );
    const skilled = definePrompt({
      id: "skilled",
      sections: [section({ key: "a", title: "A", body: "Go.", skills: [root] })],
    });
    await live.agent.run(skilled).result;
    expect(live.sent("skills/extraRoots/set")).toEqual([{ extraRoots: [root] }]);
    expect(JSON.stringify(live.model.requests[0]?.input)).toContain("Ties sailor's knots.");
    await live.agent.run(skilled).result;
    expect(live.sent("skills/extraRoots/set")).toHaveLength(1);
    const relative = definePrompt({
      id: "relative",
      sections: [section({ key: "a", title: "A", body: "Go.", skills: ["./skills"] })],
    });
    expect(await rejection(live.agent.run(relative).result)).toMatchObject({ code: "invalid_argument" });
  },
  PINNED,
);

verifies(
  ["agent.R36", "agent.R86", "agent.R38"],
  "reports a web search, and takes the last message as the answer",
  async () => {
    const action = { type: "search", query: "sea" };
    const search = { type: "web_search_call", id: "ws_1", status: "completed", action };
    await using live = await agentWorld([[outputItem(search), reply("first"), reply("last")]]);
    const run = live.agent.run(plain);
    expect((await run.result).text).toBe("last");
    expect(eventsOf(run, "tool.invoked")).toMatchObject([
      { origin: "webSearch", name: "codex:web_search", ok: true, params: { query: "sea" } },
    ]);
  },
  PINNED,
);

const Add = event("steps/add", z.object({ step: z.string() }));
const Steps = slice("steps", {
  schema: z.array(z.string()),
  initial: [],
  on: (on) => [on(Add, (steps, { step }) => [...steps, step])],
});

verifies(
  "agent.tools.parallel",
  "tools of different runs on one session write one after another",
  async () => {
    const failing = deferred();
    let running = 0;
    const add = tool({
      name: "add_step",
      description: "Adds a step.",
      input: z.object({ step: z.string() }),
      async run({ step }, ctx: AgentToolContext) {
        expect(++running).toBe(1);
        ctx.session.dispatch(Add({ step }));
        if (step === "bad") await failing.promise;
        running--;
        if (step === "bad") ctx.fail("no");
        return step;
      },
    });
    const prompt = definePrompt({
      id: "shared",
      input: z.object({ step: z.string() }),
      sections: [section({ key: "a", title: "A", body: (p: { step: string }) => p.step, tools: [add] })],
    });
    await using live = await agentWorld((request) => {
      const [step = ""] = /(bad|good)$/.exec(request.lastUserText) ?? [];
      return Object.keys(request.toolOutputs).length === 0 ? toolCall("add_step", { step }) : reply(step);
    });
    const session = createSession({ slices: [Steps] });
    const bad = live.agent.run(prompt, { input: { step: "bad" }, session });
    for await (const { type } of bad) if (type === "tool.started") break;
    const good = live.agent.run(prompt, { input: { step: "good" }, session });
    for await (const { type } of good) if (type === "tool.started") break;
    failing.resolve();
    await Promise.all([bad.result, good.result]);
    expect(session.get(Steps)).toEqual(["good"]);
  },
  PINNED,
);

verifies(
  ["agent.R4", "agent.R14", "agent.R43"],
  "runs work on an old server, and can resume their thread there",
  async () => {
    await using live = await agentWorld(
      () => [reply('{"n":1}'), usage({ inputTokens: 10, outputTokens: 5 })],
      { codexPath: await codexBinary("0.98.0") },
    );
    const typed = definePrompt({ id: "typed", sections, output: z.object({ n: z.number() }) });
    const session = createSession({ slices: [] });
    const options = { session, cwd: live.server.home, reuseThread: true };
    const first = await live.agent.run(typed, options).result;
    expect(first.output).toEqual({ n: 1 });
    const second = await live.agent.run(typed, options).result;
    expect(second).toMatchObject({ threadId: first.threadId, usage: { totalTokens: 15 } });
  },
  { against: "codex 0.98.0", timeoutMs: 120_000 },
);
