import {
  AgentError,
  CodexAgent,
  DeadlineExceededError,
  definePrompt,
  PromptOutputError,
  RunLog,
  createSession,
  section,
  tool,
  type AgentOptions,
  type Run,
} from "codexwright/agent";
import { CodexClient } from "codexwright";
import {
  exec,
  fail,
  fakeAppServer,
  hang,
  reply,
  toolCall,
  type FakeAppServerOptions,
} from "@codexwright/testing";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { systemClock } from "../../../src/agent/clock.ts";
import { Activity } from "../../../src/agent/run/activity.ts";
import { Pulse } from "../../../src/agent/run/pulse.ts";
import { deferred, rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeClock } from "./plan.ts";
import { eventsOf, fakeWorld, plain } from "./run-world.ts";

const FAKE = { against: "fake" } as const;
const task = section({ key: "a", title: "A", body: "Go." });

/** A tool that ends when its signal aborts, and reports when it has started. */
function slow(name: string) {
  const begun = deferred();
  const made = tool({
    name,
    description: "Takes its time.",
    input: z.object({}),
    effects: "readonly",
    run: async (_, { signal }) => {
      begun.resolve();
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
      });
    },
  });
  return { tool: made, begun: begun.promise };
}

/** Work during which a test stops the run, and a way to wait until that work has begun. */
interface Moment {
  readonly during: string;
  readonly server: FakeAppServerOptions;
  readonly agent?: Partial<AgentOptions>;
  readonly start: (agent: CodexAgent, limits: { deadlineMs?: number; signal?: AbortSignal }) => Run;
  readonly reached: (world: { fake: ReturnType<typeof fakeAppServer>; run: Run }) => Promise<unknown>;
}

function moments(): Moment[] {
  const [one, two] = [slow("one"), slow("two")];
  const [checked, validating, approving] = [deferred(), deferred(), deferred()];
  const tools = definePrompt({
    id: "p",
    sections: [section({ key: "a", title: "A", tools: [one.tool, two.tool] })],
  });
  const never = async (): Promise<never> => await new Promise<never>(() => {});
  const completion = definePrompt({
    id: "p",
    sections: [task],
    completion: async () => {
      checked.resolve();
      return await never();
    },
  });
  const output = definePrompt({
    id: "p",
    sections: [task],
    output: z.object({
      n: z.string().refine(async () => {
        validating.resolve();
        return await never();
      }),
    }),
  });
  return [
    {
      during: "the turn of the model",
      server: { model: [hang()] },
      start: (agent, limits) => agent.run(plain, limits),
      reached: ({ fake }) => fake.request(0),
    },
    {
      during: "the tool one",
      server: { model: [toolCall("one", {}), reply("done")] },
      start: (agent, limits) => agent.run(tools, limits),
      reached: async () => await one.begun,
    },
    {
      during: "the tool one, the tool two",
      server: { model: [[toolCall("one", {}), toolCall("two", {})], reply("done")] },
      start: (agent, limits) => agent.run(tools, limits),
      reached: async () => await Promise.all([one.begun, two.begun]),
    },
    {
      during: "the tool codex:command, the wait for an approval",
      server: {
        model: [exec("rm x", { justification: "why not" }), reply("done")],
        approvalPolicy: "on-request",
      },
      agent: {
        onApproval: async () => {
          approving.resolve();
          return await never();
        },
      },
      start: (agent, limits) => agent.run(plain, limits),
      reached: async () => await approving.promise,
    },
    {
      during: "the completion check",
      server: { model: [reply("done")] },
      start: (agent, limits) => agent.run(completion, limits),
      reached: async () => await checked.promise,
    },
    {
      during: "the validation of the answer",
      server: { model: [reply('{"n":"1"}')] },
      start: (agent, limits) => agent.run(output, limits),
      reached: async () => await validating.promise,
    },
  ];
}

function momentAt(index: number): Moment {
  const [moment] = moments().slice(index);
  if (!moment) throw new Error("there is no such moment");
  return moment;
}

for (const [index, { during }] of moments().entries()) {
  verifies(
    "agent.deadline.words",
    `if a deadline passes during ${during}, the error names that work and the deadline`,
    async () => {
      const clock = fakeClock(0);
      const moment = momentAt(index);
      await using world = await fakeWorld(moment.server, { agent: { clock, ...moment.agent } });
      const run = moment.start(world.agent, { deadlineMs: 1_234 });
      await moment.reached({ fake: world.fake, run });
      clock.advance(1_235);
      const error = await rejection(run.result);
      expect(error).toBeInstanceOf(DeadlineExceededError);
      expect(error).toMatchObject({
        code: "deadline_exceeded",
        deadlineMs: 1_234,
        during,
        message: `the deadline of 1234 ms passed during ${during}`,
      });
      expect(eventsOf(run, "prompt.executed")).toMatchObject([
        { error: { message: (error as Error).message } },
      ]);
    },
    FAKE,
  );

  verifies(
    "agent.abort.reason",
    `a run that is aborted during ${during} has the reason as its cause`,
    async () => {
      const moment = momentAt(index);
      await using world = await fakeWorld(moment.server, { agent: { ...moment.agent } });
      const stop = new AbortController();
      const run = moment.start(world.agent, { signal: stop.signal });
      await moment.reached({ fake: world.fake, run });
      const reason = { why: "enough" };
      stop.abort(reason);
      const error = await rejection(run.result);
      expect(error).toBeInstanceOf(AgentError);
      expect(error).toMatchObject({ code: "aborted" });
      expect((error as Error).cause).toBe(reason);
    },
    FAKE,
  );
}

verifies(
  "agent.deadline.words",
  "names the phase if a deadline passes before or during the connection",
  async () => {
    const clock = fakeClock(0);
    await using agent = await CodexAgent.open({
      clock,
      connect: async () => await new Promise<never>(() => {}),
      spawn: "per-run",
    });
    expect(await rejection(agent.run(plain, { deadlineMs: 0 }).result)).toMatchObject({
      deadlineMs: 0,
      during: "the start of the run",
    });
    const run = agent.run(plain, { deadlineMs: 10 });
    await Promise.resolve();
    clock.advance(11);
    expect(await rejection(run.result)).toMatchObject({ during: "the connection to the server" });
    const reason = new Error("enough");
    const aborted = agent.run(plain, { signal: AbortSignal.abort(reason) });
    expect(await rejection(aborted.result)).toMatchObject({ code: "aborted", cause: reason });
  },
);

verifies(
  "agent.deadline.words",
  "the description is short, however many calls run and however long their names are",
  () => {
    const activity = new Activity(new Pulse(systemClock));
    const name = "x".repeat(10_000);
    activity.at("the turn of the model");
    for (let call = 0; call < 3_000; call++) activity.begin(call, name);
    expect(String(activity)).toHaveLength(5 * 101 + 4 * 2 + " and 1019 more".length);
    for (let call = 0; call < 3_000; call++) activity.end(call);
    expect(String(activity)).toBe("the turn of the model");
  },
);

verifies(
  "agent.R60",
  "an invalid answer rejects with its issues, which are also in the message, the event and the session",
  async () => {
    const prompt = definePrompt({
      id: "p",
      sections: [task],
      output: z.object({ a: z.number(), b: z.string() }),
    });
    await using world = await fakeWorld({ model: [reply('So: {"a":"x"}'), reply('{"a":1}')] });
    const session = createSession({ slices: [] });
    const run = world.agent.run(prompt, { session, repair: 1 });
    const error = (await rejection(run.result)) as PromptOutputError;
    expect(error).toBeInstanceOf(PromptOutputError);
    expect(error.issues).toMatchObject([{ path: "b" }]);
    expect(error.message).toBe(`the answer does not match the output schema: b: ${error.issues[0]?.message}`);
    const failure = { code: "output_invalid", message: error.message, issues: error.issues };
    expect(eventsOf(run, "prompt.executed")).toMatchObject([{ error: failure }]);
    expect(session.get(RunLog).at(-1)).toMatchObject({ type: "prompt.executed", error: failure });
    const [continued] = eventsOf(run, "prompt.continued");
    expect(continued?.feedback).toContain("- a: ");
    expect(continued?.feedback).toContain("- b: ");
  },
  FAKE,
);

verifies("agent.R60", "the event of an answer with very many issues is short", async () => {
  const issues = Array.from({ length: 5_000 }, (_, at) => ({
    message: "x".repeat(2_000),
    path: ["list", at],
  }));
  const schema = z.object({ list: z.array(z.number()) });
  const refusing = {
    "~standard": { ...schema["~standard"], validate: () => ({ issues }) },
  } as unknown as typeof schema;
  const prompt = definePrompt({ id: "p", sections: [task], output: refusing });
  await using world = await fakeWorld({ model: [reply('{"list":[]}')] });
  const run = world.agent.run(prompt);
  expect(await rejection(run.result)).toMatchObject({ issues: { length: 5_000 } });
  const [executed] = eventsOf(run, "prompt.executed");
  expect(executed?.error?.issues).toHaveLength(20);
  expect(JSON.stringify(executed).length).toBeLessThan(30_000);
});

verifies(
  "agent.R60",
  "parses an answer in prose and in a code fence",
  async () => {
    const prompt = definePrompt({ id: "p", sections: [task], output: z.array(z.object({ a: z.number() })) });
    await using world = await fakeWorld({
      model: [
        reply('Sure! Here it is:\n\n```json\n[{"a": 1}]\n```\n\nAnything else?'),
        reply('So {"items":[{"a":2}]}.'),
      ],
    });
    expect((await world.agent.run(prompt).result).output).toEqual([{ a: 1 }]);
    expect((await world.agent.run(prompt).result).output).toEqual([{ a: 2 }]);
  },
  FAKE,
);

verifies(
  "agent.R106",
  "an error of a run has the server's stderr from before the connection",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "codexwright-stderr-"));
    try {
      await using fake = fakeAppServer({ model: [fail(400)] });
      const program = path.join(folder, "codex");
      writeFileSync(program, `#!/bin/sh\necho "early words" >&2\nexec "${fake.executable}" "$@"\n`);
      chmodSync(program, 0o755);
      await using agent = await CodexAgent.open({
        connect: async () => {
          const codex = await CodexClient.connect({ codexPath: program });
          await until(() => codex.stderrTail !== undefined);
          return codex;
        },
      });
      const prompt = definePrompt({ id: "p", sections: [task] });
      expect(await rejection(agent.run(prompt).result)).toMatchObject({
        code: "turn_failed",
        stderrTail: "early words\n",
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  FAKE,
);

/** A client whose server writes to stderr and never answers. */
class Mute extends CodexClient {
  constructor() {
    let self: Mute | undefined;
    super({
      startupTimeoutMs: 20,
      transport: () => {
        self?.emit("stderr", "no such");
        self?.emit("stderr", " key");
        return {
          open: () => {},
          send: async () => await Promise.resolve(),
          close: async () => await Promise.resolve(),
        };
      },
    });
    // oxlint-disable-next-line typescript/no-this-alias -- the transport is created before `this` is available
    self = this;
  }
}

verifies("agent.R106", "the error of a server that never answers has its stderr", async () => {
  const connect = async (): Promise<CodexClient> => {
    const mute = new Mute();
    await mute.connect();
    return mute;
  };
  await using agent = await CodexAgent.open({ connect });
  const error = await rejection(agent.run(plain).result);
  expect(error).toMatchObject({
    code: "startup_timeout",
    stderrTail: "no such key",
    cause: { code: "startup_timeout", stderrTail: "no such key" },
  });
});
