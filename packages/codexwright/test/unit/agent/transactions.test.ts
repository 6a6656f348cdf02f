import { Files, tool, type AgentToolContext } from "codexwright/agent";
import { expect } from "vitest";
import { z } from "zod";
import { deferred, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { textOf, world } from "./tool-runner-world.ts";
import { AddStep, fakeClock, Findings, Plan } from "./plan.ts";

const Step = z.object({ step: z.string(), fails: z.boolean().default(false) });

/** Writes to the session and to a file, then waits and fails if the test says so. */
function stepTool(
  effects: "transactional" | "external" | "readonly",
  waits: Record<string, Promise<void>> = {},
) {
  const running = new Set<string>();
  const overlaps: string[] = [];
  const made = tool({
    name: "step",
    description: "d",
    input: Step,
    effects,
    async run({ step, fails }, { session, resources, fail }: AgentToolContext) {
      for (const other of running) overlaps.push(`${other}+${step}`);
      running.add(step);
      try {
        if (effects !== "readonly") session.dispatch(AddStep({ step }));
        const files = await resources.get(Files);
        if (effects !== "readonly") await files.write(`${step}.txt`, step);
        await waits[step];
        if (fails) fail(`${step} failed`);
        return step;
      } finally {
        running.delete(step);
      }
    },
  });
  return { made, overlaps, running };
}

verifies("agent.R68", "a failing tool leaves session and resources unchanged", async () => {
  const { made } = stepTool("transactional");
  const { call, session, files } = world([made]);
  await call("step", { step: "kept" });
  const [plan, listed] = [session.get(Plan), await files.list()];
  const { reply, event } = await call("step", { step: "lost", fails: true });
  expect(reply.success).toBe(false);
  expect(event).toMatchObject({ ok: false, error: { kind: "failure", message: "lost failed" } });
  expect(session.get(Plan)).toBe(plan);
  expect(await files.list()).toEqual(listed);
  expect(listed).toEqual(["a.txt", "kept.txt"]);
  expect(session.journal.map(({ callId }) => callId)).toEqual([undefined, "call-1"]);
});

verifies(
  "agent.R68",
  "an exception and an invalid result are rolled back too, and logs are kept",
  async () => {
    const broken = tool({
      name: "broken",
      description: "d",
      input: z.object({ how: z.enum(["throw", "output"]) }),
      output: z.string(),
      run: ({ how }, { session }: AgentToolContext) => {
        session.dispatch(AddStep({ step: how }));
        session.dispatch(Findings.append({ file: how }));
        if (how === "throw") throw new Error("kaput");
        return 5 as never;
      },
    });
    const { call, session } = world([broken]);
    await call("broken", { how: "throw" });
    await call("broken", { how: "output" });
    expect(session.get(Plan).steps).toEqual([]);
    expect(session.get(Findings).map(({ file }) => file)).toEqual(["throw", "output"]);
  },
);

verifies(
  "agent.tools.parallel",
  "if the second of three concurrent calls fails late, the effects of the first and third are kept",
  async () => {
    const late = deferred();
    const { made, overlaps, running } = stepTool("transactional", { two: late.promise });
    const { call, session, files } = world([made]);
    const calls = [
      call("step", { step: "one" }),
      call("step", { step: "two", fails: true }),
      call("step", { step: "three" }),
    ];
    await until(() => running.has("two"));
    // The third call waits for its turn, and the second call is not committed.
    expect([...running, ...session.get(Plan).steps]).toEqual(["two", "one"]);
    late.resolve();
    const outcomes = await Promise.all(calls);
    expect(outcomes.map(({ reply }) => reply.success)).toEqual([true, false, true]);
    expect(session.get(Plan).steps).toEqual(["one", "three"]);
    expect(await files.list()).toEqual(["a.txt", "one.txt", "three.txt"]);
    expect(overlaps).toEqual([]);
  },
);

verifies("agent.tools.parallel", "readonly tools and a transactional tool can run in parallel", async () => {
  const gate = deferred();
  const waits = { a: gate.promise, b: gate.promise, w: gate.promise };
  const readonly = stepTool("readonly", waits);
  const writing = stepTool("transactional", waits);
  const { call } = world([{ ...readonly.made, name: "read" }, writing.made]);
  const calls = [call("step", { step: "w" }), call("read", { step: "a" }), call("read", { step: "b" })];
  await until(() => readonly.running.size === 2 && writing.running.size === 1);
  gate.resolve();
  expect((await Promise.all(calls)).every(({ reply }) => reply.success)).toBe(true);
  expect(readonly.overlaps).toEqual(["a+b"]);
});

verifies("agent.tools.parallel", "tools that write run in the order in which they were called", async () => {
  const gate = deferred();
  const { made, overlaps } = stepTool("transactional", { "0": gate.promise });
  const { call, session } = world([made]);
  const steps = Array.from({ length: 8 }, (_, index) => `${index}`);
  const calls = steps.map(async (step) => call("step", { step, fails: step === "3" }));
  gate.resolve();
  await Promise.all(calls);
  expect(session.get(Plan).steps).toEqual(steps.filter((step) => step !== "3"));
  expect(overlaps).toEqual([]);
});

verifies("agent.tools.effects", "an external tool waits for its turn, and is not rolled back", async () => {
  const { made, overlaps } = stepTool("external");
  const { call, session, files } = world([made]);
  await Promise.all([call("step", { step: "a", fails: true }), call("step", { step: "b" })]);
  expect(session.get(Plan).steps).toEqual(["a", "b"]);
  expect(await files.exists("a.txt")).toBe(true);
  expect(overlaps).toEqual([]);
});

verifies("agent.tools.effects", "a readonly tool cannot change the session", async () => {
  const sly = tool({
    name: "sly",
    description: "d",
    input: z.object({}),
    effects: "readonly",
    run: (_, { session }: AgentToolContext) => session.dispatch(AddStep({ step: "x" })),
  });
  const { call, session } = world([sly]);
  expect(textOf(await call("sly"))).toBe(
    'Error: a readonly tool must not change the session: set effects to "transactional"',
  );
  expect(session.get(Plan).steps).toEqual([]);
});

verifies("agent.tools.abort", "answers and rolls back an aborted call immediately", async () => {
  const never = deferred();
  const { made, running } = stepTool("transactional", { stuck: never.promise });
  const { call, session, runner } = world([made]);
  const stop = new AbortController();
  const calls = [
    call("step", { step: "stuck" }, stop.signal),
    call("step", { step: "waiting" }, stop.signal),
  ];
  await until(() => running.size === 1);
  stop.abort(new Error("the turn is over"));
  const outcomes = await Promise.all(calls);
  expect(outcomes.map(({ event }) => event.error)).toEqual([
    { kind: "aborted", message: "the turn is over" },
    { kind: "aborted", message: "the turn is over" },
  ]);
  expect(session.get(Plan).steps).toEqual([]);
  never.resolve();
  await runner.settled();
});

verifies(
  "agent.tools.abort",
  "a tool that exceeds its time limit fails, and its later changes reach neither session nor files",
  async () => {
    const clock = fakeClock();
    const [started, goOn] = [deferred(), deferred()];
    const attempts: unknown[] = [];
    const slow = tool({
      name: "slow",
      description: "d",
      input: z.object({}),
      timeoutMs: 50,
      async run(_, { session, resources, signal }: AgentToolContext) {
        const files = await resources.get(Files);
        started.resolve();
        await goOn.promise;
        attempts.push(signal.aborted);
        await files.write("late.txt", "late");
        session.dispatch(AddStep({ step: "late" }));
      },
    });
    const { made } = stepTool("transactional");
    const { call, session, files, runner } = world([slow, made], { clock });
    const first = call("slow");
    await started.promise;
    clock.advance(50);
    const { event } = await first;
    expect(event.error).toEqual({
      kind: "aborted",
      message: "slow did not finish within 50 ms and was cancelled",
    });
    const next = call("step", { step: "next" });
    goOn.resolve();
    await next;
    await runner.settled();
    expect(attempts).toEqual([true]);
    expect(session.get(Plan).steps).toEqual(["next"]);
    expect(await files.list()).toEqual(["a.txt", "next.txt"]);
  },
);

verifies(
  "agent.tools.abort",
  "a tool that never stops blocks the next ones only for the grace time",
  async () => {
    const clock = fakeClock();
    const { made, running } = stepTool("transactional", { stuck: new Promise<void>(() => {}) });
    const { call, session, runner } = world([made], { clock, graceMs: 1000 });
    const stop = new AbortController();
    const stuck = call("step", { step: "stuck" }, stop.signal);
    await until(() => running.size === 1);
    stop.abort();
    expect((await stuck).event.error?.kind).toBe("aborted");
    const next = call("step", { step: "next" });
    clock.advance(999);
    await Promise.resolve();
    expect(session.get(Plan).steps).toEqual([]);
    clock.advance(1);
    expect((await next).reply.success).toBe(true);
    await runner.settled();
  },
);
