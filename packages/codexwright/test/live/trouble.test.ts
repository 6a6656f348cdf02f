import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { exec, fail, hang, reply } from "@codexwright/testing";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, processesOf, serversOf, world } from "@codexwright/test-support/world";

verifies(
  ["turn.silence", "turn.trouble"],
  "if the model is unreachable, a turn warns and ends with turn_timeout and the reason, although the server would retry forever",
  async () => {
    await using live = await world([], { config: "[features]\nunbounded_connection_retries = true\n" });
    await live.model.close();
    const retrying = deferred<unknown>();
    live.codex.on("warning", (warning) => retrying.resolve(warning));
    const thread = await live.codex.startThread();
    const turn = thread.turn("anybody there?", { silenceMs: 1_500 });
    const outcome = rejection(turn.completed);
    expect(await retrying.promise).toMatchObject({ code: "turn_retrying", cause: { turnId: turn.id } });
    const error = (await outcome) as Error;
    expect(error).toMatchObject({
      code: "turn_timeout",
      limit: "silenceMs",
      cause: { code: "turn_retrying", message: expect.stringContaining("Reconnecting") },
    });
    expect(error.message).toContain("Reconnecting");
  },
  PINNED,
);

verifies(
  ["client.server-death", "stdio.exit"],
  "kill -9 of the server in a turn rejects the turn immediately with signal and stderr, and leaves nothing behind",
  async () => {
    const live = await world([hang()]);
    const { root, codexHome } = live.server;
    const thread = await live.codex.startThread();
    const turn = thread.turn("work");
    await live.model.request(0);
    const exited = deferred<number>();
    live.codex.on("exit", () => exited.resolve(performance.now()));
    const [pid] = serversOf(root);
    if (pid === undefined) throw new Error("no server found");
    const killed = performance.now();
    process.kill(pid, "SIGKILL");
    const error = await rejection(turn.completed);
    const took = performance.now() - killed;
    expect(error).toMatchObject({ code: "connection_closed", exitSignal: "SIGKILL", delivery: "unknown" });
    expect((error as { stderrTail?: unknown }).stderrTail).toBeTypeOf("string");
    // The turn rejects right after the process has exited, which may take a moment after the kill.
    expect(took).toBeLessThan(1_000);
    await exited.promise;
    expect(existsSync(codexHome)).toBe(true);
    await live[Symbol.asyncDispose]();
    expect(processesOf(root)).toEqual([]);
    expect(existsSync(root)).toBe(false);
  },
  PINNED,
);

verifies(
  "client.config-untouched",
  "a thread started in a git repository leaves config.toml unchanged",
  async () => {
    await using live = await world([reply("ok")]);
    const { workspace, codexHome } = live.server;
    execFileSync("git", ["init", "--quiet", workspace]);
    const config = path.join(codexHome, "config.toml");
    const before = readFileSync(config, "utf8");
    const thread = await live.codex.startThread({ cwd: workspace });
    await thread.run("hello");
    expect(readFileSync(config, "utf8")).toBe(before);
  },
  PINNED,
);

verifies(
  ["rpc.in-flight", "turn.interrupt"],
  "70 long parallel commands do not block an interrupt",
  async () => {
    await using live = await world([hang()]);
    const thread = await live.codex.startThread();
    const turn = thread.turn("work");
    await live.model.request(0);
    const ids = Array.from({ length: 70 }, (_, n) => `sleep-${n}`);
    const commands = ids.map((processId) =>
      live.codex.request("command/exec", { command: ["sleep", "1000"], processId, disableTimeout: true }),
    );
    const outcomes = Promise.allSettled(commands);
    await turn.interrupt();
    expect(await rejection(turn.completed)).toMatchObject({ code: "turn_interrupted" });
    expect((await live.codex.request("thread/loaded/list", {})).data).toEqual([thread.id]);
    await Promise.all(ids.map((processId) => live.codex.request("command/exec/terminate", { processId })));
    const settled = await outcomes;
    expect(settled.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(70);
  },
  PINNED,
);

verifies(
  "turn.interrupt",
  "an interrupt right after the start ends the turn, and the thread runs the next one",
  async () => {
    await using live = await world(({ lastUserText }) => (lastUserText === "first" ? hang() : reply("next")));
    const thread = await live.codex.startThread({ ephemeral: true });
    const turn = thread.turn("first");
    const outcome = rejection(turn.completed);
    await turn.interrupt();
    expect(await outcome).toMatchObject({ code: "turn_interrupted" });
    expect((await thread.run("second")).agentMessage).toBe("next");
  },
  PINNED,
);

verifies(
  "turn.failed",
  "a model that rejects the request fails the turn with the kind and status that the server reports",
  async () => {
    await using live = await world([fail(401), fail(500), reply("back again")]);
    const thread = await live.codex.startThread();
    const unauthorized = await rejection(thread.run("hello"));
    expect(unauthorized).toMatchObject({ code: "turn_failed", httpStatus: 401 });
    expect(await rejection(thread.run("hello"))).toMatchObject({
      code: "turn_failed",
      codexErrorInfo: "internalServerError",
    });
    expect((await thread.run("hello")).agentMessage).toBe("back again");
  },
  PINNED,
);

verifies(
  ["turn.abort", "turn.dispose"],
  "an aborted turn also stops at the server, so the thread is free for the next one",
  async () => {
    await using live = await world([exec("sleep 1000"), reply("free")]);
    const thread = await live.codex.startThread();
    const controller = new AbortController();
    const turn = thread.turn("wait long", { signal: controller.signal });
    for await (const event of turn)
      if (event.method === "item/started" && event.params.item.type === "commandExecution") break;
    controller.abort();
    expect(await rejection(turn.completed)).toMatchObject({ code: "aborted" });
    expect((await thread.run("next")).agentMessage).toBe("free");
  },
  PINNED,
);

verifies(
  ["client.handshake", "stdio.find", "stdio.config"],
  "finds the installed native binary, which accepts config overrides and reports its version",
  async () => {
    await using live = await world([], {
      client: { config: { model: "other-model", tui: { notifications: false } } },
    });
    expect(live.codex.server).toMatchObject({ version: "0.166.0", codexHome: live.server.codexHome });
    const { config } = await live.codex.request("config/read", { includeLayers: false });
    expect(config.model).toBe("other-model");
  },
  PINNED,
);
