import { jsonSchema, tool, type ToolContext, type ToolResult } from "codexwright";
import type { DynamicToolCallResponse } from "codexwright/protocol";
import { expect } from "vitest";
import { z } from "zod";
import { ok } from "../../../src/tools/ok.ts";
import { ToolBox } from "../../../src/tools/tool-calls.ts";
import { deferred } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";

const anything = jsonSchema({ type: "object" });
const never = new AbortController();
const PNG = "data:image/png;base64,iVBORw0KGgo=";
const WAV = "data:audio/wav;base64,UklGRg==";

function params(name: string, args: Record<string, string> = {}, namespace: string | null = null) {
  return { threadId: "thread", turnId: "turn", callId: "call", namespace, tool: name, arguments: args };
}

/** Creates a box with one tool `t` that runs this, and collects the failures that the box reports. */
function boxOf(
  run: (input: unknown, context: ToolContext) => ToolResult | Promise<ToolResult>,
  timeoutMs = 0,
) {
  const failures: unknown[] = [];
  const made = tool({ name: "t", description: "d", input: anything, timeoutMs, run });
  return { failures, box: new ToolBox([made], { onFailure: (_, error) => failures.push(error) }) };
}

async function answerTo(result: unknown): Promise<DynamicToolCallResponse> {
  return await boxOf(() => result as ToolResult).box.call(params("t"), never);
}

function text(answer: DynamicToolCallResponse): string {
  const [item] = answer.contentItems;
  return item?.type === "inputText" ? item.text : "";
}

verifies("tools.results", "converts text, JSON and content items, and undefined to OK", async () => {
  const success = (...contentItems: object[]): object => ({ success: true, contentItems });
  const inputText = (value: string): object => ({ type: "inputText", text: value });
  expect(await answerTo("hello")).toEqual(success(inputText("hello")) as never);
  expect(await answerTo("")).toEqual(success(inputText("")) as never);
  expect(await answerTo({ a: [1, null] })).toEqual(success(inputText('{"a":[1,null]}')) as never);
  for (const json of [42, true, null, []]) {
    expect(await answerTo(json)).toEqual(success(inputText(JSON.stringify(json))) as never);
  }
  expect(await answerTo(undefined)).toEqual(success(inputText("OK")) as never);
  const items = [
    inputText("see"),
    { type: "inputImage", imageUrl: PNG },
    { type: "inputAudio", audioUrl: WAV },
  ];
  expect(await answerTo(items)).toEqual(success(...items) as never);
});

verifies("tools.results", "ok() and render decide which part of a result the model receives", async () => {
  const rendered = tool({
    name: "t",
    description: "d",
    input: anything,
    output: z.object({ hits: z.number() }),
    render: ({ hits }) => `${hits} hits`,
    run: () => ok({ hits: 3 }, { message: "found", images: [PNG] }),
  });
  const { contentItems } = await new ToolBox([rendered]).call(params("t"), never);
  expect(contentItems).toEqual([
    { type: "inputText", text: "found" },
    { type: "inputText", text: "3 hits" },
    { type: "inputImage", imageUrl: PNG },
  ]);
  expect(text(await answerTo(ok({ secret: 1 }, { hidden: true })))).toBe("OK");
});

verifies("tools.results", "treats a list that only resembles content items as JSON", async () => {
  expect(text(await answerTo([{ type: "other", text: "x" }]))).toBe('[{"type":"other","text":"x"}]');
});

verifies("tools.results", "answers with a failure if the server would reject the content", async () => {
  for (const [item, why] of [
    [{ type: "inputImage", imageUrl: "https://example.com/a.png" }, "image"],
    [{ type: "inputImage", imageUrl: "data:text/plain;base64,aGk=" }, "image"],
    [{ type: "inputAudio", audioUrl: "a.wav" }, "audio"],
    [{ type: "inputText" }, "must have a text"],
  ] as const) {
    const answer = await answerTo([item]);
    expect(answer.success).toBe(false);
    expect(text(answer)).toContain(why);
  }
});

verifies("tools.results", "answers with a failure if JSON cannot represent the result", async () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  for (const result of [cycle, 1n, () => {}, Symbol("x")]) {
    const { box, failures } = boxOf(() => result as ToolResult);
    expect(await box.call(params("t"), never)).toMatchObject({ success: false });
    expect(failures).toHaveLength(1);
  }
});

verifies(
  "tools.results",
  "a thrown error becomes success: false with its message and without its stack",
  async () => {
    const { box, failures } = boxOf(() => {
      throw new Error("no such ticket");
    });
    const answer = await box.call(params("t"), never);
    expect(answer).toEqual({ success: false, contentItems: [{ type: "inputText", text: "no such ticket" }] });
    expect(failures).toEqual([new Error("no such ticket")]);
    // oxlint-disable-next-line prefer-promise-reject-errors -- users do this
    expect(text(await boxOf(() => Promise.reject("plain text")).box.call(params("t"), never))).toBe(
      "plain text",
    );
    // oxlint-disable-next-line prefer-promise-reject-errors -- users do this
    expect(text(await boxOf(() => Promise.reject({ secret: 1 })).box.call(params("t"), never))).toBe(
      "an unknown error",
    );
  },
);

verifies("tools.results", "an onFailure listener that throws does not prevent the answer", async () => {
  const made = tool({
    name: "t",
    description: "d",
    input: anything,
    run: () => Promise.reject(new Error("a")),
  });
  const box = new ToolBox([made], {
    onFailure: () => {
      throw new Error("b");
    },
  });
  expect(text(await box.call(params("t"), never))).toBe("a");
});

verifies("tools.results", "validates a result with the output schema and sends that value", async () => {
  const made = (status: string) =>
    tool({
      name: "t",
      description: "d",
      input: anything,
      output: z.object({ status: z.enum(["open", "closed"]), count: z.number().default(0) }),
      run: () => ({ status: status as "open" }),
    });
  expect(text(await new ToolBox([made("open")]).call(params("t"), never))).toBe(
    '{"status":"open","count":0}',
  );
  const wrong = await new ToolBox([made("lost")]).call(params("t"), never);
  expect(wrong.success).toBe(false);
  expect(text(wrong)).toMatch(/^The result of t does not match its output schema:\n- status: /);
});

verifies("tools.results", "runs parallel calls in parallel", async () => {
  const waiting: (() => void)[] = [];
  const { box } = boxOf(
    (_, { callId }) =>
      new Promise((resolve) => {
        waiting.push(() => resolve(callId));
        // Either call can end only after both have started.
        if (waiting.length === 2) for (const go of waiting) go();
      }),
  );
  const answers = await Promise.all([
    box.call({ ...params("t"), callId: "a" }, never),
    box.call({ ...params("t"), callId: "b" }, never),
  ]);
  expect(answers.map(text)).toEqual(["a", "b"]);
});

verifies("tools.results", "passes thread, turn and call ids to a tool", async () => {
  const { box } = boxOf((_, { signal: _signal, ...ids }) => ids);
  expect(text(await box.call(params("t"), never))).toBe(
    '{"threadId":"thread","turnId":"turn","callId":"call"}',
  );
});

verifies("tools.deadline", "a tool that times out fails immediately and its signal aborts", async () => {
  let seen: AbortSignal | undefined;
  const { box, failures } = boxOf((_, { signal }) => {
    seen = signal;
    return new Promise(() => {});
  }, 5);
  const answer = await box.call(params("t"), never);
  expect(answer.success).toBe(false);
  expect(text(answer)).toBe("t did not finish within 5 ms and was cancelled");
  expect(seen?.aborted).toBe(true);
  expect(seen?.reason).toMatchObject({ name: "TimeoutError" });
  expect(failures).toEqual([seen?.reason]);
});

verifies("tools.deadline", "an aborted signal ends the call without a report", async () => {
  const outer = new AbortController();
  let seen: AbortSignal | undefined;
  const { box, failures } = boxOf((_, { signal }) => {
    seen = signal;
    outer.abort(new Error("the turn ended"));
    return new Promise(() => {});
  });
  expect(text(await box.call(params("t"), outer))).toBe("the turn ended");
  expect(seen?.reason).toBe(outer.signal.reason);
  expect(failures).toEqual([]);
});

verifies("tools.deadline", "does not start a call that was already dropped", async () => {
  let ran = false;
  const { box } = boxOf(() => {
    ran = true;
  });
  expect(await box.call(params("t"), { signal: AbortSignal.abort(new Error("gone")) })).toMatchObject({
    success: false,
  });
  expect(ran).toBe(false);
});

verifies("tools.deadline", "the signal of a call that ended in time does not abort later", async () => {
  const outer = new AbortController();
  let seen: AbortSignal | undefined;
  const { box } = boxOf((_, { signal }) => {
    seen = signal;
  }, 5);
  await box.call(params("t"), outer);
  outer.abort();
  expect(seen?.aborted).toBe(false);
});

verifies("tools.arguments", "reports invalid arguments to the model and does not run the tool", async () => {
  const failures: unknown[] = [];
  const made = tool({
    name: "t",
    description: "d",
    input: z.object({ list: z.array(z.object({ id: z.string() })) }),
    run: () => "ran",
  });
  const box = new ToolBox([made], { onFailure: (_, error) => failures.push(error) });
  const answer = await box.call({ ...params("t"), arguments: { list: [{ id: "a" }, { id: 1 }] } }, never);
  expect(answer.success).toBe(false);
  expect(text(answer)).toMatch(/^The arguments of t are invalid:\n- list\[1\]\.id: /);
  expect(failures).toEqual([]);
});

verifies(
  ["tools.unknown", "spec001.unknown-tool"],
  "names an unknown tool and lists the known ones",
  async () => {
    const made = (name: string, namespace?: string) =>
      tool({ name, description: "d", input: anything, namespace, run: () => namespace ?? "flat" });
    const box = new ToolBox([made("look"), made("find", "app")]);
    for (const [name, namespace] of [
      ["lok", null],
      ["find", null],
      ["look", "app"],
    ] as const) {
      const answer = await box.call(params(name, {}, namespace), never);
      expect(answer.success).toBe(false);
      const full = namespace === null ? name : `${namespace}.${name}`;
      expect(text(answer)).toBe(`There is no tool named ${full}. The known tools are: look, app.find.`);
    }
    expect(text(await box.call(params("find", {}, "app"), never))).toBe("app");
    expect(text(await new ToolBox([]).call(params("x"), never))).toBe(
      "There is no tool named x. There are no tools.",
    );
  },
);

verifies(
  "tools.once",
  "does not run a call again that the server repeats after a lost connection, and returns the first result",
  async () => {
    const [lost, finished] = [new AbortController(), deferred()];
    let runs = 0;
    const { box } = boxOf(async () => {
      runs++;
      lost.abort();
      await finished.promise;
      return `run ${runs}`;
    });
    expect(await box.call(params("t"), lost)).toMatchObject({ success: false });
    const again = box.call(params("t"), never);
    finished.resolve();
    expect(text(await again)).toBe("run 1");
    expect(text(await box.call(params("t"), never))).toBe("run 1");
    expect(text(await box.call({ ...params("t"), callId: "another" }, never))).toBe("run 2");
    expect(runs).toBe(2);
  },
);
