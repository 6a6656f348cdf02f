import { expect } from "vitest";
import { z } from "zod";
import { jsonSchema, tool } from "codexwright";
import { reply, toolCall } from "@codexwright/testing";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, world } from "@codexwright/test-support/world";

const add = tool({
  name: "add",
  description: "Adds two numbers",
  input: z.object({ a: z.number(), b: z.number().int().max(100) }),
  run: ({ a, b }) => ({ sum: a + b }),
});

verifies(
  ["tools.schemas", "tools.results", "tools.arguments"],
  "the model calls typed tools, results are text, JSON or an image, and the model receives errors for bad arguments",
  async () => {
    await using live = await world([
      [
        toolCall("add", { a: 1, b: 2 }, { callId: "good" }),
        toolCall("add", { a: 1, b: 1_000 }, { callId: "bad" }),
        toolCall("picture", {}, { callId: "picture" }),
        toolCall("broken", {}, { callId: "broken" }),
      ],
      reply("done"),
    ]);
    const warnings: string[] = [];
    live.codex.on("warning", ({ code }) => warnings.push(code));
    const pixel =
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const picture = tool({
      name: "picture",
      description: "Shows a picture",
      input: jsonSchema({ type: "object", properties: {} }),
      run: () => [{ type: "inputImage", imageUrl: pixel }],
    });
    const broken = tool({
      name: "broken",
      description: "Fails",
      input: z.object({}),
      run: () => {
        throw new Error("out of paper");
      },
    });
    const thread = await live.codex.startThread({ tools: [add, picture, broken] });
    const result = await thread.run("go");
    const calls = result.items.filter((item) => item.type === "dynamicToolCall");
    expect(calls.map(({ tool: name, success }) => `${name} ${success}`).toSorted()).toEqual([
      "add false",
      "add true",
      "broken false",
      "picture true",
    ]);
    const outputs = live.model.requests[1]?.toolOutputs ?? {};
    expect(outputs["good"]).toBe('{"sum":3}');
    expect(outputs["bad"]).toContain("b");
    expect(outputs["broken"]).toContain("out of paper");
    expect(JSON.stringify(live.model.requests[1]?.input)).toContain(pixel);
    expect(warnings.filter((code) => code === "tool_failed")).toHaveLength(1);
  },
  PINNED,
);

verifies(
  ["tools.deadline", "tools.results"],
  "parallel calls run in parallel, and one that times out is reported while the other continues",
  async () => {
    await using live = await world([
      [toolCall("slow", {}, { callId: "s" }), toolCall("quick", {}, { callId: "q" })],
      reply("done"),
    ]);
    const slowRuns = deferred();
    const aborted = deferred();
    const slow = tool({
      name: "slow",
      description: "Never ends by itself",
      input: z.object({}),
      timeoutMs: 200,
      run: async (_input, { signal }) => {
        signal.addEventListener("abort", () => aborted.resolve());
        slowRuns.resolve();
        await aborted.promise;
        return "too late";
      },
    });
    const quick = tool({
      name: "quick",
      description: "Needs the other one to run",
      input: z.object({}),
      run: async () => {
        await slowRuns.promise;
        return "ran beside it";
      },
    });
    const thread = await live.codex.startThread({ tools: [slow, quick] });
    await thread.run("go");
    const outputs = live.model.requests[1]?.toolOutputs ?? {};
    expect(outputs["q"]).toBe("ran beside it");
    expect(outputs["s"]).toContain("200 ms");
    await aborted.promise;
  },
  PINNED,
);

verifies(
  ["tools.names", "tools.namespaces", "tools.unknown"],
  "checks names before thread/start, routes a call in a namespace to the right tool, and names an unknown tool",
  async () => {
    await using live = await world([
      reply("first"),
      [toolCall("lookup", {}, { namespace: "library", callId: "l" }), toolCall("gone", {}, { callId: "g" })],
      reply("done"),
    ]);
    const named = (name: string, namespace?: string) =>
      tool({
        name,
        description: "A tool",
        input: z.object({}),
        ...(namespace && { namespace }),
        run: () => `${namespace ?? ""}.${name}`,
      });
    expect(() => named("a b")).toThrow("a-z");
    for (const tools of [[named("exec_command")], [named("a"), named("a")]]) {
      expect(await rejection(live.codex.startThread({ tools }))).toMatchObject({ code: "invalid_argument" });
    }
    const tools = [named("lookup", "library"), named("gone")];
    const thread = await live.codex.startThread({ tools });
    await thread.run("first");
    // The thread is resumed with only one of its tools. The thread still knows the other tool, and the model may call
    // it.
    await live.codex.resumeThread(thread.id, { tools: tools.slice(0, 1) });
    await thread.run("go");
    const outputs = live.model.requests[2]?.toolOutputs ?? {};
    expect(outputs["l"]).toBe("library.lookup");
    expect(outputs["g"]).toContain("There is no tool named gone");
    expect(outputs["g"]).toContain("library.lookup");
  },
  PINNED,
);

verifies(
  "tools.namespaces",
  "rejects namespaces as unsupported for a server that does not know them",
  async () => {
    await using live = await world([], { codexPath: await codexBinary("0.120.0") });
    const inside = tool({ name: "a", description: "A", input: z.object({}), namespace: "n", run: () => "" });
    expect(await rejection(live.codex.startThread({ tools: [inside] }))).toMatchObject({
      code: "unsupported",
    });
  },
  { against: "codex 0.120.0", timeoutMs: 120_000 },
);
