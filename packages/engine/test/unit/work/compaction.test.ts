import { expect } from "vitest";
import {
  EngineServer,
  MemoryThreadStore,
  ModelError,
  type EngineServerOptions,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  type ToolHandler,
} from "@codexwright/engine";
import { jsonSchema, type CodexClient, type Thread } from "codexwright";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { call, connect, message, optionsOf } from "../ports.ts";
import { serverOn, temporaryHome } from "../store/home.ts";

const MAX_TOKENS = 32_000;

/** A model whose answers depend on the request. A request without tools asks for a summary. */
interface Scripted extends ModelProvider {
  readonly requests: ModelRequest[];
}

interface Script {
  /** The answer to a request of a turn, with its number. */
  readonly answer?: (request: ModelRequest, n: number) => readonly ModelEvent[];
  /** The answer to a request for a summary, with its number. */
  readonly summary?: (request: ModelRequest, n: number) => readonly ModelEvent[];
  /** The tokens that the provider reports. */
  readonly tokens?: (request: ModelRequest) => number;
  readonly window?: number;
}

function scripted({ answer, summary, tokens = () => 10, window }: Script): Scripted {
  const requests: ModelRequest[] = [];
  let answers = 0;
  let summaries = 0;
  return {
    id: "own",
    requests,
    models: () => Promise.resolve([]),
    ...(window !== undefined && { contextWindow: () => ({ tokens: window, largest: window }) }),
    async *stream(request) {
      await Promise.resolve();
      requests.push(request);
      const isSummary = request.tools.length === 0;
      const n = isSummary ? summaries++ : answers++;
      const events = isSummary
        ? (summary?.(request, n) ?? message(`s${n}`, `summary ${n}`))
        : (answer?.(request, n) ?? message(`m${n}`, `answer ${n}`));
      yield* events;
      const totalTokens = tokens(request);
      const usage = {
        inputTokens: totalTokens,
        cachedInputTokens: 0,
        outputTokens: 0,
        reasoningOutputTokens: 0,
      };
      yield { type: "completed", usage: { ...usage, totalTokens } };
    },
  };
}

/** The texts of a request, without the context. */
function textsOf(request: ModelRequest | undefined): string[] {
  return (request?.input ?? [])
    .flatMap(
      ({ content, output }) => (content as { text?: string }[] | undefined) ?? [{ text: String(output) }],
    )
    .map(({ text = "" }) => text.split("\n").at(-1) ?? "")
    .filter((text) => !text.startsWith("</"));
}

function sizeOf({ input, instructions, tools }: ModelRequest): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(input) + instructions + JSON.stringify(tools)) / 4);
}

function tooLong(): never {
  throw new ModelError("too long", { phase: "stream", reason: "context_length_exceeded" });
}

async function compacted(codex: CodexClient, thread: Thread): Promise<string> {
  const ended = new Promise<string>((resolve) => {
    const stop = codex.onNotification("turn/completed", ({ turn }) => {
      stop();
      resolve(turn.error === null ? turn.status : JSON.stringify(turn.error.codexErrorInfo));
    });
  });
  await thread.compact();
  return await ended;
}

async function started(
  model: ModelProvider,
  options: Partial<EngineServerOptions> = {},
): Promise<AsyncDisposable & { readonly codex: CodexClient; readonly thread: Thread }> {
  const server = new EngineServer(optionsOf(model, options));
  const codex = await connect(server);
  const thread = await codex.startThread();
  return {
    codex,
    thread,
    [Symbol.asyncDispose]: async () => {
      await codex.disconnect();
      await server.close();
    },
  };
}

/** A tool that returns a text of so many bytes. */
const big: ToolHandler = {
  name: "big",
  parallel: true,
  spec: () => ({ type: "function", name: "big", description: "d", parameters: { type: "object" } }),
  run: ({ input }) => ({ output: "x".repeat(Number(input["bytes"])) }),
};

const summariesOf = ({ requests }: Scripted): number =>
  requests.filter(({ tools }) => tools.length === 0).length;

verifies(
  "engine.compaction.limit",
  "the limit is the smaller of the setting and 90% of the window, by the provider's usage or by estimate",
  async () => {
    const cases: readonly [config: object, window: number, tokens: number, summaries: number][] = [
      [{}, 1_000, 899, 0],
      [{}, 1_000, 900, 1],
      [{ compactAt: 500 }, 1_000, 499, 0],
      [{ compactAt: 500 }, 1_000, 500, 1],
      [{ compactAt: 5_000 }, 1_000, 900, 1],
      [{ contextWindow: 500 }, 1_000, 450, 1],
      // No usage, so the texts count: about 20 tokens, and 1,000 with the text of the user.
      [{ compactAt: 3_000 }, 10_000, 0, 0],
      [{ compactAt: 1_000 }, 10_000, 0, 1],
    ];
    for (const [config, window, tokens, summaries] of cases) {
      const model = scripted({ tokens: () => tokens, window });
      await using on = await started(model, { config: { model: "m", ...config } });
      await on.thread.run("y".repeat(4_000));
      await on.thread.run("two");
      expect([config, tokens, summariesOf(model)]).toEqual([config, tokens, summaries]);
    }
  },
);

verifies(
  ["engine.compaction.moments", "engine.compaction.result"],
  "a turn is compacted after its tools, also because of their outputs, and goes on with the summary",
  async () => {
    const model = scripted({
      answer: (_, n) => (n === 0 ? [call("c1", "big", { bytes: 30_000 })] : message(`m${n}`, `answer ${n}`)),
      window: 10_000,
    });
    // The provider reports 10 tokens, so it is the output that reaches the limit.
    await using on = await started(model, { tools: [big], config: { model: "m", compactAt: 7_000 } });
    const { items } = await on.thread.run("one");
    expect(items.map(({ type }) => type)).toEqual(["userMessage", "contextCompaction", "agentMessage"]);
    expect(textsOf(model.requests[1]).at(0)).toBe("one");
    expect(textsOf(model.requests[2])).toEqual(["one", "summary 0"]);
    // The context is the current one, before the last message of the user.
    expect(model.requests[2]?.input.map(({ role }) => role)).toEqual(["developer", "user", "user", "user"]);
    await on.thread.run("two");
    expect(textsOf(model.requests[3])).toEqual(["one", "summary 0", "answer 1", "two"]);
    await compacted(on.codex, on.thread);
    await on.thread.run("three");
    // An earlier summary is not a message of the user.
    expect(textsOf(model.requests[5])).toEqual(["one", "two", "summary 1", "three"]);
  },
);

verifies(
  "engine.compaction.request",
  "a request for a summary has no tools and no output schema",
  async () => {
    const model = scripted({ tokens: () => 5_000 });
    await using on = await started(model, { config: { model: "m", compactAt: 1_000 } });
    await on.thread.run("one");
    const output = jsonSchema({ type: "object", properties: {} });
    await on.thread.run("two", { output }).catch(() => {});
    const [, summary, turn] = model.requests;
    expect([summary?.tools, summary?.parallel, summary?.outputSchema]).toEqual([[], false, undefined]);
    expect(turn?.outputSchema).toBeDefined();
  },
);

verifies(
  "engine.compaction.request",
  "the oldest items are left out until the provider accepts, in few requests",
  async () => {
    let lengths: number[] = [];
    let most = 3;
    const model = scripted({
      summary: (request, n) => {
        lengths.push(request.input.length);
        return request.input.length > most ? tooLong() : message(`s${n}`, `summary ${n}`);
      },
    });
    await using on = await started(model);
    for (let n = 0; n < 100; n++) await on.thread.run(`turn ${n}`);
    expect(await compacted(on.codex, on.thread)).toBe("completed");
    expect(lengths.slice(0, 5)).toEqual([203, 202, 201, 199, 195]);
    expect(lengths.length).toBeLessThan(12);
    expect(model.requests.at(-1)?.input.at(-1)).toMatchObject({ role: "user" });
    // Nothing fits: the request with nothing but the prompt is the last one.
    lengths = [];
    most = 0;
    expect(await compacted(on.codex, on.thread)).toBe('"contextWindowExceeded"');
    expect(lengths.at(-1)).toBe(1);
    most = 3;
    await on.thread.run("goes on");
    expect(textsOf(model.requests.at(-1))).toContain("goes on");
  },
);

verifies(
  "engine.compaction.result",
  "the last messages of the user are kept, and no more than fit",
  async () => {
    const model = scripted({ window: 1_000_000 });
    await using on = await started(model);
    const text = (letter: string, tokens: number): string => letter.repeat(tokens * 4);
    for (const each of [text("a", 9_000), text("b", 9_000), text("c", 8_000), "last"])
      await on.thread.run(each);
    await compacted(on.codex, on.thread);
    await on.thread.run("next");
    const kept = textsOf(model.requests.at(-1)).map(
      (each) => `${each[0]} ${Math.round(each.length / 4_000)}`,
    );
    expect(kept).toEqual(["a 1", "b 9", "c 8", "l 0", "s 0", "n 0"]);
  },
);

verifies(
  "engine.compaction.result",
  "items that a client adds during a compaction come after the summary",
  async () => {
    let add = async (): Promise<void> => {};
    const inner = scripted({});
    const model: Scripted = {
      ...inner,
      async *stream(request, signal) {
        if (request.tools.length === 0) await add();
        yield* inner.stream(request, signal);
      },
    };
    await using on = await started(model);
    await on.thread.run("one");
    const content = [{ type: "output_text", text: "added" }];
    add = async () => {
      const items = [{ type: "message", role: "assistant", content }];
      await on.codex.request("thread/inject_items", { threadId: on.thread.id, items });
    };
    await compacted(on.codex, on.thread);
    await on.thread.run("two");
    expect(textsOf(inner.requests.at(-1))).toEqual(["one", "summary 0", "added", "two"]);
  },
);

verifies("engine.compaction.failure", "a failed compaction fails the turn and loses nothing", async () => {
  const refused = (): never => {
    throw new ModelError("no", { phase: "status", status: 400, body: "no" });
  };
  const model = scripted({
    summary: (_, n) => (n < 2 ? refused() : message(`s${n}`, `summary ${n}`)),
    tokens: ({ input }) => (input.length < 5 ? 5_000 : 10),
  });
  await using on = await started(model, { config: { model: "m", compactAt: 1_000 } });
  await on.thread.run("one");
  expect(await rejection(on.thread.run("two"))).toMatchObject({ code: "turn_failed" });
  expect(await compacted(on.codex, on.thread)).toBe('"other"');
  await on.thread.run("three");
  expect(textsOf(model.requests.at(-2)).slice(0, -1)).toEqual(["one", "answer 0", "two"]);
  expect(textsOf(model.requests.at(-1))).toEqual(["one", "two", "summary 2", "three"]);
});

verifies(
  "engine.compaction.record",
  "one record has the whole new conversation, and a resumed thread goes on with it",
  async () => {
    await using home = await temporaryHome();
    const model = scripted({});
    let id = "";
    {
      await using on = await serverOn(home, model);
      const thread = await on.codex.startThread();
      id = thread.id;
      await thread.run("one");
      expect(await compacted(on.codex, thread)).toBe("completed");
      const records = (await home.lines()).map(
        (line) => JSON.parse(line) as { type: string; payload: object },
      );
      const found = records.filter(({ type }) => type === "compacted");
      expect(found).toHaveLength(1);
      expect(JSON.stringify(found[0]?.payload)).toMatch(/one.*summary 0/);
    }
    await using on = await serverOn(home, model);
    await (await on.codex.resumeThread(id)).run("two");
    expect(textsOf(model.requests.at(-1))).toEqual(["one", "summary 0", "two"]);
  },
);

/** A model that refuses longer requests than its window, and calls `big` in each turn. */
function narrow(reportsUsage: boolean): Scripted & { readonly refused: () => number } {
  let refused = 0;
  const checked = (request: ModelRequest): void => {
    if (sizeOf(request) <= MAX_TOKENS) return;
    refused++;
    tooLong();
  };
  const model = scripted({
    answer: (request, n) => {
      checked(request);
      const isAnswered = request.input.at(-1)?.["type"] === "function_call_output" || n % 4 === 3;
      return isAnswered ? message(`m${n}`, `answer ${n}`) : [call(`c${n}`, "big", { bytes: 40_000 })];
    },
    summary: (request, n) => {
      checked(request);
      return message(`s${n}`, `summary ${n}`);
    },
    tokens: (request) => (reportsUsage ? sizeOf(request) : 0),
    window: MAX_TOKENS,
  });
  return { ...model, refused: () => refused };
}

verifies(
  "engine.compaction.endless",
  "2 million tokens of outputs pass through a window of 32,000, with and without usage of the provider",
  async () => {
    for (const reportsUsage of [true, false]) {
      const model = narrow(reportsUsage);
      await using on = await started(model, { tools: [big] });
      let outputs = 0;
      on.codex.onNotification("turn/completed", () => {});
      for (let turn = 0; outputs < 200; turn++) {
        const { turn: ended } = await on.thread.run(`turn ${turn}`);
        expect([turn, ended.status]).toEqual([turn, "completed"]);
        outputs = model.requests.filter(
          ({ input, tools }) => tools.length > 0 && input.at(-1)?.["type"] === "function_call_output",
        ).length;
        expect(turn).toBeLessThan(1_000);
      }
      expect([reportsUsage, model.refused()]).toEqual([reportsUsage, 0]);
      expect(summariesOf(model)).toBeGreaterThan(50);
      expect(textsOf(model.requests.at(-1)).join()).toMatch(/turn \d+.*summary \d+/);
    }
  },
  { timeoutMs: 120_000 },
);

verifies(
  "engine.compaction.endless",
  "a thread with a history of 2 million tokens goes on with a model of 32,000",
  async () => {
    const store = new MemoryThreadStore();
    const wide = scripted({ tokens: sizeOf, window: 10_000_000 });
    let id = "";
    {
      await using on = await started(wide, { store });
      id = on.thread.id;
      for (let turn = 0; turn < 10; turn++) await on.thread.run(`turn ${turn} ${"é".repeat(400_000)}`);
      expect(sizeOf(wide.requests.at(-1) ?? ({} as ModelRequest))).toBeGreaterThan(2_000_000);
    }
    const model = narrow(true);
    const server = new EngineServer(optionsOf(model, { store, tools: [big] }));
    const codex = await connect(server);
    const thread = await codex.resumeThread(id);
    for (const text of ["goes on", "and on", "z".repeat(60_000), "and on again"]) await thread.run(text);
    expect(model.refused()).toBe(0);
    // Input that is longer than the window fails, and the thread goes on after it.
    expect(await rejection(thread.run("w".repeat(500_000)))).toMatchObject({ code: "turn_failed" });
    await thread.run("last");
    expect(textsOf(model.requests.at(-1)).at(-1)).toMatch(/last|x{100}/);
    await codex.disconnect();
    await server.close();
  },
  { timeoutMs: 120_000 },
);
