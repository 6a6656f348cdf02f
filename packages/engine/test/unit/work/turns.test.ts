import { expect } from "vitest";
import { EngineServer, ModelError, type ModelEvent, type ToolHandler } from "@codexwright/engine";
import {
  BASE_INSTRUCTIONS,
  INSTRUCTIONS_VERSION,
  MOST_CALLS,
  MOST_REQUESTS,
} from "@codexwright/engine/internal";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { call, completed, connect, message, modelOf, optionsOf } from "../ports.ts";

const DONE: readonly ModelEvent[] = [...message("m", "done"), completed];

function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give: () => void = () => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

/** A tool that begins, and ends only when the test says so, whatever happens to the turn. */
function stubborn(): { readonly tool: ToolHandler; readonly begun: Promise<void>; readonly end: () => void } {
  const begin = signal();
  const end = signal();
  const tool: ToolHandler = {
    name: "stubborn",
    parallel: true,
    spec: () => undefined,
    run: async () => {
      begin.give();
      await end.given;
      return { output: "ended" };
    },
  };
  return { tool, begun: begin.given, end: end.give };
}

/** The conversation of a request in short: roles of messages, and outputs. */
function short(input: readonly Readonly<Record<string, unknown>>[] = []): string[] {
  return input.slice(2).map((item) => {
    if (item["type"] === "message") {
      const [{ text = "" } = {}] = item["content"] as { text?: string }[];
      return `${String(item["role"])}: ${text.split("\n")[0]}`;
    }
    return `${String(item["type"])}: ${String(item["output"] ?? item["name"])}`;
  });
}

verifies("engine.loop.steer", "ends the response, whose open item is not in the next request", async () => {
  const half = signal();
  const model = modelOf(async function* () {
    yield* message("m1", "first half").slice(0, 2);
    half.give();
    await new Promise(() => {});
  }, DONE);
  await using server = new EngineServer(optionsOf(model));
  await using codex = await connect(server);
  const thread = await codex.startThread();
  const turn = thread.turn("go");
  await half.given;
  await turn.steer("no, this");
  const { agentMessage, items } = await turn.completed;
  expect(agentMessage).toBe("done");
  expect(items.map(({ id }) => id)).not.toContain("m1");
  expect(short(model.requests[1]?.input)).toEqual(["user: go", "user: no, this"]);
});

verifies("engine.loop.steer", "reports nothing of a response that had not begun", async () => {
  const [asked, begins] = [signal(), signal()];
  const model = modelOf(async function* () {
    asked.give();
    await begins.given;
    yield* message("m1", "first");
  }, DONE);
  await using server = new EngineServer(optionsOf(model));
  await using codex = await connect(server);
  let told = 0;
  codex.onNotification("account/rateLimits/updated", () => void told++);
  const turn = (await codex.startThread()).turn("go");
  await asked.given;
  await turn.steer("no, this");
  begins.give();
  expect((await turn.completed).agentMessage).toBe("done");
  expect(told).toBe(1);
});

verifies("engine.loop.steer", "waits for the tools that run", async () => {
  const { tool, begun, end } = stubborn();
  const model = modelOf([call("a", "stubborn", {}), completed], DONE);
  await using server = new EngineServer(optionsOf(model, { tools: [tool] }));
  await using codex = await connect(server);
  const turn = (await codex.startThread()).turn("go");
  await begun;
  await turn.steer("and this");
  expect(model.requests).toHaveLength(1);
  end();
  await turn.completed;
  expect(short(model.requests[1]?.input)).toEqual([
    "user: go",
    "function_call: stubborn",
    "function_call_output: ended",
    "user: and this",
  ]);
});

verifies(
  "engine.loop.interrupt",
  "answers the calls that ran, even of a tool that ignores its signal",
  async () => {
    const { tool, begun, end } = stubborn();
    const polite: ToolHandler = {
      name: "polite",
      parallel: true,
      spec: () => undefined,
      run: (_, turn) =>
        new Promise((_resolve, reject) => {
          turn.signal.addEventListener("abort", () => reject(turn.signal.reason as Error));
        }),
    };
    const model = modelOf([call("a", "stubborn", {}), call("b", "polite", {}), completed], DONE);
    await using server = new EngineServer(optionsOf(model, { tools: [tool, polite] }));
    await using codex = await connect(server);
    const thread = await codex.startThread();
    const turn = thread.turn("go");
    await begun;
    const began = performance.now();
    await turn.interrupt();
    expect(await rejection(turn.completed)).toMatchObject({ code: "turn_interrupted" });
    expect(performance.now() - began).toBeLessThan(10_000);
    end();
    await thread.run("again");
    expect(short(model.requests[1]?.input)).toEqual([
      "user: go",
      "function_call: stubborn",
      "function_call: polite",
      "function_call_output: aborted by user",
      "function_call_output: aborted by user",
      "user: <turn_aborted>",
      "user: again",
    ]);
    expect(server.failures).toEqual([]);
  },
);

verifies("engine.loop.interrupt", "ends a turn whose provider ignores the signal", async () => {
  const asked = signal();
  const late = signal();
  const model = modelOf(async function* () {
    yield { type: "created" };
    asked.give();
    await late.given;
    yield* DONE;
  }, DONE);
  await using server = new EngineServer(optionsOf(model));
  await using codex = await connect(server);
  const thread = await codex.startThread();
  const turn = thread.turn("go");
  await asked.given;
  await turn.interrupt();
  expect(await rejection(turn.completed)).toMatchObject({ code: "turn_interrupted" });
  // The late events of the response belong to no turn.
  late.give();
  await thread.run("again");
  expect(short(model.requests[1]?.input)).toEqual(["user: go", "user: <turn_aborted>", "user: again"]);
});

verifies("engine.loop.cut", "keeps the calls of a response that broke off, and runs them once", async () => {
  let runs = 0;
  const counted: ToolHandler = {
    name: "counted",
    parallel: true,
    spec: () => undefined,
    run: () => ({ output: `run ${++runs}` }),
  };
  const model = modelOf(async function* () {
    yield { type: "created" };
    yield call("a", "counted", {});
    await Promise.resolve();
    throw new ModelError("connection reset", { phase: "stream" });
  }, DONE);
  const config = { model: "own-model", streamRetries: 1 };
  await using server = new EngineServer(optionsOf(model, { tools: [counted], config }));
  await using codex = await connect(server);
  expect((await (await codex.startThread()).run("go")).agentMessage).toBe("done");
  expect(runs).toBe(1);
  expect(short(model.requests[1]?.input)).toEqual([
    "user: go",
    "function_call: counted",
    "function_call_output: run 1",
  ]);
});

verifies("engine.loop.limits", "fails a turn whose model calls tools for ever", async () => {
  const nothing: ToolHandler = {
    name: "nothing",
    parallel: true,
    spec: () => undefined,
    run: () => ({ output: "" }),
  };
  const model = modelOf(
    ...Array.from({ length: MOST_REQUESTS + 5 }, () => [call("a", "nothing", {}), completed]),
  );
  await using server = new EngineServer(optionsOf(model, { tools: [nothing] }));
  await using codex = await connect(server);
  const error = await rejection((await codex.startThread()).run("go"));
  expect(error).toMatchObject({ code: "turn_failed", codexErrorInfo: "sessionBudgetExceeded" });
  expect(model.requests).toHaveLength(MOST_REQUESTS);
});

verifies("engine.loop.limits", "runs a limited number of the calls of one response", async () => {
  let runs = 0;
  const counted: ToolHandler = {
    name: "counted",
    parallel: true,
    spec: () => undefined,
    run: () => ({ output: `${++runs}` }),
  };
  const calls = Array.from({ length: MOST_CALLS + 10 }, (_, at) => call(`c${at}`, "counted", {}));
  const model = modelOf([...calls, completed], DONE);
  await using server = new EngineServer(optionsOf(model, { tools: [counted] }));
  await using codex = await connect(server);
  expect((await (await codex.startThread()).run("go")).agentMessage).toBe("done");
  expect(runs).toBe(MOST_CALLS);
  const outputs = short(model.requests[1]?.input).filter((line) => line.startsWith("function_call_output"));
  expect(outputs).toHaveLength(MOST_CALLS + 10);
  expect(outputs.at(-1)).toContain("not run");
});

verifies("engine.loop.close", "waits for tools and commands, and changes nothing afterwards", async () => {
  const { tool, begun, end } = stubborn();
  let killed = false;
  const shell = {
    ...optionsOf(modelOf()).shell,
    close: async () => {
      await Promise.resolve();
      killed = true;
    },
  };
  const model = modelOf([call("a", "stubborn", {}), completed], DONE);
  const server = new EngineServer(optionsOf(model, { tools: [tool], shell }));
  const codex = await connect(server);
  const turn = (await codex.startThread()).turn("go");
  const ended = rejection(turn.completed);
  await begun;
  await server.close();
  expect(killed).toBe(true);
  await ended;
  end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(model.requests).toHaveLength(1);
  await codex.close();
});

verifies(
  "engine.loop.context",
  "sends the client's instructions, and tells changes before the next input",
  async () => {
    const model = modelOf(DONE, DONE, DONE);
    await using server = new EngineServer(optionsOf(model));
    await using codex = await connect(server);
    const thread = await codex.startThread({
      baseInstructions: "You are a poet.",
      developerInstructions: "In rhyme.",
    });
    await thread.run("one");
    await thread.run("two", { cwd: "/elsewhere", approvalPolicy: "on-request" });
    await thread.run("three");
    const [first, second, third] = model.requests;
    expect(first?.instructions).toBe("You are a poet.");
    expect(JSON.stringify(first?.input[0])).toContain("In rhyme.");
    expect(JSON.stringify(first?.input[1])).toContain("<cwd>/work</cwd>");
    expect(short(second?.input).slice(-3)).toEqual([
      "developer: <permissions instructions>",
      "user: <environment_context>",
      "user: two",
    ]);
    expect(JSON.stringify(second?.input.at(-2))).toContain("<cwd>/elsewhere</cwd>");
    expect(short(third?.input).slice(-2)).toEqual(["assistant: done", "user: three"]);
  },
);

verifies("engine.loop.context", "sends the instructions of the engine if the client sets none", async () => {
  const model = modelOf(DONE);
  await using server = new EngineServer(optionsOf(model));
  await using codex = await connect(server);
  await (await codex.startThread()).run("go");
  expect(model.requests[0]?.instructions).toBe(BASE_INSTRUCTIONS);
  expect(INSTRUCTIONS_VERSION).toBeGreaterThan(0);
  // The instructions name only tools that are on offer.
  const named = [...BASE_INSTRUCTIONS.matchAll(/`(\w+_\w+)`/g)].map(([, name]) => name);
  const offered = model.requests[0]?.tools.map(({ name }) => name);
  expect(offered).toEqual(expect.arrayContaining(named));
});

verifies("engine.loop.cache", "each request of a thread begins with the request before it", async () => {
  const half = signal();
  const { tool, begun, end } = stubborn();
  const model = modelOf(
    [...message("m0", "looking"), call("a", "exec_command", { cmd: "ls" }), call("b", "none", {}), completed],
    DONE,
    async function* () {
      yield* message("m1", "x").slice(0, 2);
      half.give();
      await new Promise(() => {});
    },
    DONE,
    [call("c", "stubborn", {}), completed],
    DONE,
  );
  await using server = new EngineServer(optionsOf(model, { tools: [tool] }));
  await using codex = await connect(server);
  const thread = await codex.startThread();
  await thread.run("one");
  const two = thread.turn("two", { approvalPolicy: "untrusted" });
  await half.given;
  await two.steer("two and a half");
  await two.completed;
  const three = thread.turn("three");
  await begun;
  await three.interrupt();
  end();
  await rejection(three.completed);
  await thread.run("four");
  expect(model.requests).toHaveLength(6);
  for (const [at, { input, tools, instructions }] of model.requests.entries()) {
    const next = model.requests[at + 1];
    if (!next) continue;
    expect(next.input.slice(0, input.length)).toEqual(input);
    expect([next.tools, next.instructions]).toEqual([tools, instructions]);
  }
});
