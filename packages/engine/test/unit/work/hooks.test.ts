import { expect } from "vitest";
import {
  EngineServer,
  HookError,
  type EngineHooks,
  type EngineServerOptions,
  type ModelEvent,
  type ToolHandler,
} from "@codexwright/engine";
import { verifies } from "@codexwright/test-support/verifies";
import { call, completed, connect, message, modelOf, optionsOf } from "../ports.ts";
import { ManualClock } from "../providers/manual-clock.ts";

const DONE: readonly ModelEvent[] = [...message("m", "done"), completed];

/** A tool that counts its runs and returns its arguments. */
function echo(): ToolHandler & { readonly inputs: unknown[] } {
  const inputs: unknown[] = [];
  return {
    inputs,
    name: "echo",
    parallel: true,
    spec: () => ({ type: "function", name: "echo", parameters: { type: "object", properties: {} } }),
    run: ({ input }) => {
      inputs.push(input);
      if (input["fail"] === true) throw new Error("the tool failed");
      return { output: JSON.stringify(input) };
    },
  };
}

/** Runs a turn in which the model calls `echo` once. */
async function turn(
  hooks: EngineHooks,
  args: object = { text: "a secret" },
  more: Partial<EngineServerOptions> = {},
) {
  const tool = echo();
  const model = modelOf([call("c1", "echo", args), completed], DONE);
  await using server = new EngineServer(optionsOf(model, { tools: [tool], hooks, ...more }));
  await using codex = await connect(server);
  const thread = await codex.startThread();
  const error = await thread.run("go").then(
    () => undefined,
    (reason: unknown) => (reason as Error).message,
  );
  const output = model.requests[1]?.input.find(({ type }) => type === "function_call_output")?.["output"];
  return {
    output,
    error,
    inputs: tool.inputs,
    requests: model.requests,
    failures: server.failures,
    threadId: thread.id,
  };
}

verifies("engine.hooks.tool", "hooks see each call, and change its arguments and its output", async () => {
  const seen: unknown[] = [];
  const { output, inputs, failures, threadId } = await turn({
    beforeTool: ({ name, callId, input }, context) => {
      seen.push([name, callId, input, context.threadId, context.turnId !== "", context.signal.aborted]);
      return { input: { text: "changed" } };
    },
    afterTool: async ({ input }, outcome) => {
      await Promise.resolve();
      seen.push([input, outcome.output]);
      return { output: (outcome.output as string).replace("changed", "hidden") };
    },
  });
  expect(seen).toEqual([
    ["echo", "c1", { text: "a secret" }, threadId, true, false],
    [{ text: "changed" }, '{"text":"changed"}'],
  ]);
  expect(inputs).toEqual([{ text: "changed" }]);
  expect([output, failures]).toEqual(['{"text":"hidden"}', []]);
});

verifies("engine.hooks.tool", "a hook answers a call, and the tool does not run", async () => {
  const after: unknown[] = [];
  const { output, inputs } = await turn({
    beforeTool: ({ name }) => (name === "echo" ? { output: "not today" } : undefined),
    afterTool: (_, outcome) => void after.push(outcome),
  });
  expect([output, inputs, after]).toEqual(["not today", [], []]);
});

verifies("engine.hooks.tool", "the hook after a tool sees its failure, too", async () => {
  const { output } = await turn(
    { afterTool: (_, { output: said }) => ({ output: `seen: ${said as string}` }) },
    { fail: true },
  );
  expect(output).toBe("seen: echo failed: the tool failed");
});

const BROKEN: Readonly<Record<string, () => never>> = {
  throws: () => {
    throw new Error("a password");
  },
  rejects: (() => Promise.reject(new Error("a password"))) as never,
  "a text": (() => "wrong") as never,
  "a number": (() => 1) as never,
  "an empty object": (() => ({})) as never,
  "a list": (() => []) as never,
  "a wrong output": (() => ({ output: 7 })) as never,
};

verifies("engine.hooks.broken", "a hook that fails prevents what it was asked about", async () => {
  for (const [what, hook] of Object.entries(BROKEN)) {
    const before = await turn({ beforeTool: hook });
    expect([what, before.inputs, before.error]).toEqual([what, [], undefined]);
    expect(before.output).toMatch(/^echo failed: the hook beforeTool (failed|returned a wrong value)$/);

    const after = await turn({ afterTool: hook });
    expect([what, after.inputs.length, after.error]).toEqual([what, 1, undefined]);
    expect(after.output).toMatch(/^echo has run, but its output is withheld: the hook afterTool /);

    const request = await turn({ beforeRequest: hook });
    expect([what, request.requests.length]).toEqual([what, 0]);
    expect(request.error).toMatch(/the hook beforeRequest (failed|returned a wrong value)/);
    for (const { output, error, failures } of [before, after, request]) {
      expect(`${String(output)} ${error ?? ""}`).not.toMatch(/password|secret/);
      expect(failures[0]).toBeInstanceOf(HookError);
    }
  }
});

verifies(
  "engine.hooks.broken",
  "a hook that hangs is given up after its time, and its signal aborts",
  async () => {
    for (const name of ["beforeTool", "afterTool", "beforeRequest"] as const) {
      const clock = new ManualClock();
      let signal: AbortSignal | undefined;
      const hang = (...args: readonly unknown[]): Promise<never> => {
        ({ signal } = args.at(-1) as { readonly signal: AbortSignal });
        return new Promise(() => {});
      };
      const ended = turn({ [name]: hang, timeoutMs: 77 }, {}, { clock });
      await clock.waitFor(77);
      expect(signal?.aborted).toBe(false);
      clock.advance(77);
      expect(signal?.aborted).toBe(true);
      const { output, error } = await ended;
      expect(`${String(output)} ${error ?? ""}`).toContain(`the hook ${name} took longer than 77 ms`);
    }
  },
);

verifies("engine.hooks.interrupt", "an interrupted turn does not wait for a hook", async () => {
  for (const name of ["beforeTool", "afterTool", "beforeRequest"] as const) {
    const clock = new ManualClock();
    let called: (signal: AbortSignal) => void = () => {};
    const entered = new Promise<AbortSignal>((resolve) => (called = resolve));
    const hang = (...args: readonly unknown[]): Promise<never> => {
      const { signal } = args.at(-1) as { readonly signal: AbortSignal };
      called(signal);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("gone"))));
    };
    const tool = echo();
    const model = modelOf([call("c1", "echo", {}), completed], DONE);
    await using server = new EngineServer(
      optionsOf(model, { tools: [tool], hooks: { [name]: hang }, clock }),
    );
    await using codex = await connect(server);
    const running = (await codex.startThread()).turn("go");
    const signal = await entered;
    await running.interrupt();
    await expect(running.completed).rejects.toMatchObject({ code: "turn_interrupted" });
    expect([name, signal.aborted, tool.inputs.length]).toEqual([name, true, name === "afterTool" ? 1 : 0]);
    expect(server.failures).toEqual([]);
  }
});

verifies("engine.hooks.request", "the hook before a request sees every request, and changes it", async () => {
  const seen: string[] = [];
  const { requests, output } = await turn({
    beforeRequest: (request, { threadId, turnId }) => {
      seen.push(`${request.ids.thread === threadId} ${request.ids.turn === turnId}`);
      return {
        ...request,
        instructions: "ours",
        input: request.input.map(
          (item) => JSON.parse(JSON.stringify(item).replace("a secret", "…")) as typeof item,
        ),
      };
    },
  });
  expect(seen).toEqual(["true true", "true true"]);
  expect(requests.map(({ instructions }) => instructions)).toEqual(["ours", "ours"]);
  expect(JSON.stringify(requests)).not.toContain("a secret");
  // The conversation itself is not changed.
  expect(output).toBe('{"text":"…"}');
});

verifies("engine.hooks.request", "wrong hooks are refused with their names", () => {
  for (const [hooks, text] of [
    [{ beforeTool: 1 }, "hooks.beforeTool"],
    [{ before: () => {} }, "before"],
    [{ timeoutMs: 0 }, "hooks.timeoutMs"],
  ] as const) {
    expect(() => new EngineServer(optionsOf(modelOf(), { hooks: hooks as never }))).toThrow(text);
  }
});
