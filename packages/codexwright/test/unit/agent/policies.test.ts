import { BudgetMeter, Deadline, deadlineNudge, requires, tool, type ToolPolicy } from "codexwright/agent";
import { expect } from "vitest";
import { z } from "zod";
import { verifies } from "@codexwright/test-support/verifies";
import { textOf, world } from "./tool-runner-world.ts";
import { fakeClock } from "./plan.ts";

const make = (name: string) =>
  tool({
    name,
    description: "d",
    input: z.object({ fails: z.boolean().default(false) }),
    run: ({ fails }) => {
      if (fails) throw new Error("red");
      return `${name} done`;
    },
  });

verifies("agent.tools.policies", "a policy can require earlier successful calls of other tools", async () => {
  const { call } = world([make("test"), make("deploy")], { policies: [requires("deploy", ["test"])] });
  const early = await call("deploy");
  expect(early.event).toMatchObject({
    ok: false,
    error: { kind: "denied", message: "deploy requires a successful call to test first." },
  });
  await call("test", { fails: true });
  expect((await call("deploy")).reply.success).toBe(false);
  await call("test");
  expect(textOf(await call("deploy"))).toBe("deploy done");
});

verifies("agent.tools.policies", "a policy receives the call, and denies it by throwing", async () => {
  const asked: unknown[] = [];
  const watch: ToolPolicy = {
    name: "watch",
    check: ({ tool: name, input, history }) => void asked.push([name, input, history.length]),
  };
  const broken: ToolPolicy = {
    name: "broken",
    check: () => {
      throw new Error("x");
    },
  };
  const { call, warnings } = world([make("test")], { policies: [watch, broken] });
  const { event } = await call("test");
  expect(asked).toEqual([["test", { fails: false }, 0]]);
  expect(event.error).toEqual({
    kind: "denied",
    message: "The policy broken could not decide about this call.",
  });
  expect(warnings).toEqual(["the policy broken threw, so test was denied"]);
});

verifies("agent.tools.after", "hooks append text to successful calls, and cannot fail them", async () => {
  const { call, warnings } = world([make("test")], {
    afterTool: [
      ({ tool: name, output, history }) => `${name} gave ${String(output)}, call ${history.length}`,
      () => {
        throw new Error("hook");
      },
      () => undefined,
    ],
  });
  expect(textOf(await call("test"))).toBe("test done\ntest gave test done, call 1");
  expect(textOf(await call("test", { fails: true }))).toBe("Error: red");
  expect(warnings).toEqual(["a hook after test threw", "the tool test threw"]);
});

verifies("agent.tools.after", "reminds the model when the deadline is near", async () => {
  const clock = fakeClock();
  const deadline = new Deadline(100_000, clock);
  const { call } = world([make("test")], { clock, deadline, afterTool: [deadlineNudge()] });
  expect(textOf(await call("test"))).toBe("test done");
  clock.advance(70_000);
  expect(textOf(await call("test"))).toBe(
    "test done\nAbout 30 seconds are left before the deadline. Finish the most important work and answer.",
  );
});

verifies("agent.R69", "denies all tools after the deadline or above the budget", async () => {
  const clock = fakeClock();
  const budget = new BudgetMeter({ totalTokens: 100 });
  const { call } = world([make("test")], { clock, budget, deadline: new Deadline(10, clock) });
  budget.record("thread", { inputTokens: 60, outputTokens: 40, totalTokens: 100 });
  expect((await call("test")).reply.success).toBe(true);
  budget.record("thread", { inputTokens: 60, outputTokens: 41, totalTokens: 101 });
  expect((await call("test")).event.error).toEqual({
    kind: "denied",
    message: "The token budget of this run is spent.",
  });
  clock.advance(10);
  expect((await call("test")).event.error).toEqual({
    kind: "denied",
    message: "The deadline of this run has passed.",
  });
});
