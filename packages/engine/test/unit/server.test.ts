import { expect } from "vitest";
import { EngineServer, MemoryThreadStore, ModelError, type ModelEvent } from "@codexwright/engine";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { call, completed, connect, echoShell, memoryFiles, message, modelOf, optionsOf } from "./ports.ts";

verifies("engine.embed", "runs a turn on the given model, shell and files", async () => {
  const texts = new Map([["/work/a.txt", "one\n"]]);
  const shell = echoShell();
  const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch";
  const model = modelOf(
    [
      { type: "created" },
      call("c1", "exec_command", { cmd: "make" }),
      call("c2", "exec_command", { cmd: `apply_patch <<'PATCH'\n${patch}\nPATCH` }),
      completed,
    ],
    [...message("m1", "all done"), completed],
  );
  const options = {
    shell,
    files: memoryFiles(texts),
    config: { model: "own-model", sandboxMode: "workspace-write" as const },
  };
  await using server = new EngineServer(optionsOf(model, options));
  await using codex = await connect(server);
  const thread = await codex.startThread();
  const result = await thread.run("change it");

  expect(result.agentMessage).toBe("all done");
  expect(result.diff).toContain("-one\n+two");
  expect(texts.get("/work/a.txt")).toBe("two\n");
  expect(shell.commands.map(({ argv, cwd, callId }) => ({ argv, cwd, callId }))).toEqual([
    { argv: ["/bin/bash", "-lc", "make"], cwd: "/work", callId: "c1" },
  ]);
  const [first, second] = model.requests;
  expect(first?.model).toBe("own-model");
  expect(second?.input.map((item) => item["type"])).toEqual([
    "message",
    "message",
    "message",
    "function_call",
    "function_call",
    "function_call_output",
    "function_call_output",
  ]);
  expect(second?.input[5]?.["output"]).toContain("out of the shell");
  expect(server.failures).toEqual([]);
});

verifies(
  "engine.model-errors",
  "fails the turn when the model refuses or its stream ends early",
  async () => {
    const refusal = new ModelError("no such key", {
      phase: "status",
      status: 401,
      statusText: "Unauthorized",
    });
    const model = modelOf(
      // oxlint-disable-next-line require-yield -- it throws before its first event
      async function* () {
        throw refusal;
      },
      message("m1", "half of"),
    );
    await using server = new EngineServer(optionsOf(model));
    await using codex = await connect(server);
    const thread = await codex.startThread();
    const errors: string[] = [];
    for (const input of ["first", "second"]) {
      await thread.run(input).catch((error: unknown) => errors.push((error as Error).message));
    }
    expect(errors[0]).toContain("unexpected status 401 Unauthorized: no such key");
    expect(errors[1]).toContain("stream closed before response.completed");
    expect(server.failures).toEqual([]);
  },
);

verifies("engine.broken-ports", "fails the turn when a port throws, and runs the next turn", async () => {
  const broken = (): never => {
    throw new TypeError("broken port");
  };
  const done = [...message("m", "done"), completed];
  const failing = async function* (): AsyncGenerator<ModelEvent> {
    yield* done.slice(0, 1);
    broken();
  };
  await using server = new EngineServer(optionsOf(modelOf(failing, done)));
  await using codex = await connect(server);
  const thread = await codex.startThread();
  const error = await thread.run("first").catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: "turn_failed", codexErrorInfo: "internalServerError" });
  expect(server.failures).toEqual([new TypeError("broken port")]);
  expect((await thread.run("second")).agentMessage).toBe("done");
});

verifies("engine.broken-ports", "tells the model if a port throws while a tool runs", async () => {
  const shell = {
    start: () => {
      throw new TypeError("broken port");
    },
  };
  const model = modelOf(
    [call("c", "exec_command", { cmd: "make" }), completed],
    [...message("m", "done"), completed],
  );
  await using server = new EngineServer(optionsOf(model, { shell }));
  await using codex = await connect(server);
  const thread = await codex.startThread();
  expect((await thread.run("first")).agentMessage).toBe("done");
  expect(model.requests[1]?.input.at(-1)?.["output"]).toBe("exec_command failed: broken port");
  expect(server.failures).toEqual([new TypeError("broken port")]);
});

verifies("engine.broken-ports", "ends a turn even if the store cannot save its thread", async () => {
  const store = new MemoryThreadStore();
  await using server = new EngineServer(optionsOf(modelOf([...message("m", "done"), completed]), { store }));
  await using codex = await connect(server);
  const thread = await codex.startThread();
  store.append = () => Promise.reject(new Error("disk full"));
  // The first write fails the turn. The write at its end fails too, and the turn still ends.
  const error = await rejection(thread.run("go"));
  expect(error).toMatchObject({ code: "turn_failed" });
  expect((error as Error).message).toContain("disk full");
  expect(server.failures.length).toBeGreaterThan(1);
});

verifies("engine.broken-ports", "continues the turn when tool arguments are not an object", async () => {
  for (const name of ["exec_command", "update_plan", "request_user_input", "constructor"])
    for (const args of [null, 7, "text", []]) {
      const model = modelOf([call("c", name, args), completed], [...message("m", "done"), completed]);
      await using server = new EngineServer(optionsOf(model));
      await using codex = await connect(server);
      const thread = await codex.startThread();
      expect((await thread.run("go")).agentMessage).toBe("done");
      expect(server.failures).toEqual([]);
    }
});

verifies(
  "engine.interrupt",
  "aborts the signal of the model request when the turn is interrupted",
  async () => {
    let asked: () => void = () => {};
    const begun = new Promise<void>((resolve) => (asked = resolve));
    let aborted = false;
    const model = modelOf(async function* (_request, signal) {
      yield { type: "created" };
      await new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(signal.reason as Error);
        });
        asked();
      });
    });
    await using server = new EngineServer(optionsOf(model));
    await using codex = await connect(server);
    const thread = await codex.startThread();
    const turn = thread.turn("wait");
    await begun;
    await turn.interrupt();
    const error = await turn.completed.catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "turn_interrupted" });
    expect(aborted).toBe(true);
  },
);

verifies("engine.options", "rejects missing, unknown and mistyped options by name", () => {
  const options = optionsOf(modelOf());
  const { shell: _, ...without } = options;
  for (const [wrong, name] of [
    [without, "shell"],
    [{ ...options, config: { model: "m", streamRetries: -1 } }, "streamRetries"],
    [{ ...options, sandBox: "read-only" }, "sandBox"],
  ] as const) {
    expect(() => new EngineServer(wrong as never)).toThrow(name);
  }
});
