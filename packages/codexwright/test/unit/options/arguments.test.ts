import { definePrompt, memoryFs, resource, Resources, section } from "codexwright/agent";
import { CodexClient, tool } from "codexwright/client";
import * as recording from "codexwright/recording";
import { Connection, memoryPair, tap } from "codexwright/rpc";
import { Endpoint, listen } from "codexwright/server";
import * as kit from "@codexwright/testing";
import { websocket } from "codexwright/websocket";
import { overlayFs } from "codexwright/workspace";
import { expect, test } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { failure } from "./calls.ts";

const FAKE = { against: "fake", timeoutMs: 120_000 } as const;

/** Values that are neither text, nor an object with methods, nor a list, nor a function. */
const WRONG: readonly unknown[] = [null, 5, Number.NaN, true, 10n, Symbol("x"), Object.create(null)];

verifies(
  "options.arguments",
  "rejects an argument of the wrong kind with invalid_argument, never a TypeError, and sends nothing",
  async () => {
    await using fake = kit.fakeAppServer({ model: () => kit.reply("done") });
    let sent = 0;
    const transport = tap(fake.transport, (direction) => {
      if (direction === "out") sent++;
    });
    await using codex = await CodexClient.connect({ transport });
    const thread = await codex.startThread();
    await using endpoint = new Endpoint({ handlers: {} });
    const resources = new Resources([]);
    const scenario = kit.scenarios[0] as never;
    const never = (): never => {
      throw new Error("called");
    };
    // oxlint-disable-next-line typescript/no-explicit-any -- as from plain JavaScript
    const calls: Record<string, (value: any) => unknown> = {
      "thread(id)": (value) => codex.thread(value),
      "readThread(id)": (value) => codex.readThread(value),
      "resumeThread(id)": (value) => codex.resumeThread(value),
      "forkThread(id)": (value) => codex.forkThread(value),
      "archiveThread(id)": (value) => codex.archiveThread(value),
      "interruptTurn(threadId)": (value) => codex.interruptTurn(value, "u"),
      "request(method)": (value) => codex.request(value, {}),
      "onNotification(method)": (value) => codex.onNotification(value, () => {}),
      "onNotification(listener)": (value) => codex.onNotification("turn/started", value),
      "onServerRequest(method)": (value) => codex.onServerRequest(value, never),
      "on(event)": (value) => codex.on(value, () => {}),
      "on(listener)": (value) => codex.on("exit", value),
      "search(query)": (value) => codex.search(value, { roots: ["/x"] }),
      "login.apiKey(key)": (value) => codex.login.apiKey(value),
      "mcp.login(serverName)": (value) => codex.mcp.login(value),
      "config.write(keyPath)": (value) => codex.config.write(value, 1),
      "fs.readFile(path)": (value) => codex.fs.readFile(value),
      "fs.writeFile(data)": (value) => codex.fs.writeFile("/x", value),
      "exec(argv)": (value) => codex.exec(value),
      "exec(argv[0])": (value) => codex.exec([value]),
      "watch(path)": (value) => codex.watch(value),
      "setName(name)": (value) => thread.setName(value),
      "shellCommand(command)": (value) => thread.shellCommand(value),
      "subscribe(listener)": (value) => thread.subscribe(value),
      "connect(transport)": (value) => CodexClient.connect({ transport: () => value }),
      "tool(name)": (name) => tool({ name, description: "d", input: {} as never, run: never }),
      "section(key)": (key) => section({ key, title: "A" }),
      "definePrompt(sections)": (value) => definePrompt({ id: "p", sections: [value] }),
      "resource(name)": (value) => resource(value),
      "resources.get(key)": (value) => resources.get(value),
      "memoryFs(file)": (value) => memoryFs({ a: value }),
      "endpoint.accept(transport)": (value) => endpoint.accept(value),
      "listen(endpoint)": (value) => listen(value, "ws://127.0.0.1:0"),
      "listen(url)": (value) => listen(endpoint, value),
      "fake.listen(url)": (value) => fake.listen(value),
      "websocket(url)": (value) => websocket(value),
      "overlayFs(dir)": (value) => overlayFs(value),
      "tap(factory)": (value) => tap(value, () => {}),
      "tap(listener)": (value) => tap(fake.transport, value),
      "reply(text)": (value) => kit.reply(value),
      "reasoning(summary)": (value) => kit.reasoning([value]),
      "toolCall(name)": (value) => kit.toolCall(value, {}),
      "mcpCall(server)": (value) => kit.mcpCall(value, "n", {}),
      "exec(cmd)": (value) => kit.exec(value),
      "applyPatch(patch)": (value) => kit.applyPatch(value),
      "plan(steps)": (value) => kit.plan(value),
      "userInput(questions)": (value) => kit.userInput(value),
      "subAgent(message)": (value) => kit.subAgent(value),
      "streamFail(code)": (value) => kit.streamFail(value),
      "truncate(text)": (value) => kit.truncate(value),
      "fakeAppServer(model)": (value) => kit.fakeAppServer({ model: [value] }),
      "runScenario(target)": (value) => kit.runScenario(scenario, value),
      "compareTranscripts(a)": (value) => recording.compareTranscripts(value, []),
      "normalize(recording)": (value) => recording.normalize(value),
      "record(factory)": (value) => recording.record(value, () => {}),
      "replay(source)": (value) => recording.replay(value),
    };
    const before = sent;
    const wrong: string[] = [];
    for (const [id, call] of Object.entries(calls)) {
      for (const value of WRONG) {
        const { code, message } = await failure({ valid: {}, call }, value);
        if (code !== "invalid_argument") {
          wrong.push(`${id} ${typeof value}: ${String(code)} ${String(message)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(sent).toBe(before);
  },
  FAKE,
);

/** JSON cannot represent these and omits them. */
const FORMLESS = [() => {}, Symbol("x"), { toJSON: () => undefined }] as const;

test("rejects params that JSON cannot represent, and answers with an error if a handler returns such a result", async () => {
  const [left, right] = memoryPair();
  const handlers = { notification() {}, badLine() {}, closed() {} };
  let result: unknown;
  const server = new Connection({
    transport: right,
    maxInFlight: 1,
    handlers: { ...handlers, request: () => result },
  });
  const client = new Connection({
    transport: left,
    maxInFlight: 1,
    handlers: { ...handlers, request() {} },
  });
  for (const formless of FORMLESS) {
    expect(await rejection(client.request("m", formless))).toMatchObject({ code: "invalid_argument" });
    result = formless;
    expect(await rejection(client.request("m", {}))).toMatchObject({ code: "rpc" });
  }
  result = undefined;
  expect(await client.request("m", undefined)).toEqual({});
  await client.close();
  await server.close();
});

test("an endpoint answers a request with an error if JSON cannot represent the result", async () => {
  let result: unknown;
  await using endpoint = new Endpoint({ handlers: { "model/list": () => result as never } });
  await using codex = await CodexClient.connect({
    transport: () => {
      const [left, right] = memoryPair();
      endpoint.accept(right);
      return left;
    },
  });
  for (const formless of FORMLESS) {
    result = formless;
    expect(await rejection(codex.request("model/list", {}))).toMatchObject({ code: "rpc" });
  }
});
