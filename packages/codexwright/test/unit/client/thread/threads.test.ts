import { expect } from "vitest";
import { CodexClient, type CodexClientOptions, type StartThreadOptions } from "codexwright";
import { wireScript, type WireStep } from "@codexwright/testing";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";

const FAKE: VerifiesOptions = { against: "fake" };
const started: WireStep = {
  on: "thread/start",
  result: { thread: { id: "t1" }, approvalPolicy: "on-request" },
};

/** Returns the params of the thread/start request for these options. */
async function startParams(options: StartThreadOptions, client: CodexClientOptions = {}): Promise<unknown> {
  const fake = wireScript({ script: [started] });
  const transport = Object.assign(fake.transport, { cwd: "/server/folder" });
  await using codex = await CodexClient.connect({ ...client, transport } as CodexClientOptions);
  await codex.startThread(options);
  return fake.received.at(-1)?.params;
}

verifies(
  "client.spellings",
  "converts older spellings; the defaults are `workspace-write` and `never`",
  async () => {
    expect(await startParams({})).toEqual({ sandbox: "workspace-write", approvalPolicy: "never" });
    expect(await startParams({ sandbox: "readOnly", approvalPolicy: "unlessTrusted" })).toEqual({
      sandbox: "read-only",
      approvalPolicy: "untrusted",
    });
    expect(
      await startParams({ ephemeral: true }, { sandbox: "dangerFullAccess", approvalPolicy: "always" }),
    ).toEqual({
      ephemeral: true,
      sandbox: "danger-full-access",
      approvalPolicy: "on-request",
    });
  },
  FAKE,
);

verifies(
  "client.config-untouched",
  "sends cwd only if it is not the server's own folder",
  async () => {
    expect(await startParams({ cwd: "/server/folder" })).not.toHaveProperty("cwd");
    expect(await startParams({}, { cwd: "/server/folder" })).not.toHaveProperty("cwd");
    expect(await startParams({ cwd: "/elsewhere" })).toMatchObject({ cwd: "/elsewhere" });
  },
  FAKE,
);

verifies(
  "client.events",
  "rejects unknown events and listeners that are not functions when they are added",
  async () => {
    const fake = wireScript({ script: [started] });
    await using codex = await CodexClient.connect({ transport: fake.transport });
    const thread = await codex.startThread();
    const bad = { code: "invalid_argument" };
    const on = (event: string) => () => codex.on(event as "warning", () => {});
    expect(on("item/started")).toThrow(expect.objectContaining(bad));
    expect(on("item/started")).toThrow("onNotification");
    expect(on("toString")).toThrow(expect.objectContaining(bad));
    const none = undefined as unknown as () => void;
    for (const give of [
      () => codex.on("warning", none),
      () => codex.once("turn:started", none),
      () => codex.onNotification("turn/started", none),
      () => codex.onServerRequest("item/tool/call", none as never),
      () => thread.subscribe(none),
    ])
      expect(give).toThrow(expect.objectContaining(bad));
  },
  FAKE,
);

verifies(
  "client.events",
  "listeners receive the params and the message until they unsubscribe",
  async () => {
    const fake = wireScript({
      script: [
        { send: { method: "skills/changed", params: { n: 1 }, emittedAtMs: 5 } },
        { on: "account/logout", result: {} },
        { send: { method: "skills/changed", params: { n: 2 } } },
        { on: "account/logout", result: {} },
      ],
    });
    const seen: unknown[] = [];
    const codex = new CodexClient({ transport: fake.transport });
    const stop = codex.onNotification("skills/changed", (params, message) =>
      seen.push([params, message.emittedAtMs]),
    );
    await codex.connect();
    await codex.request("account/logout", undefined);
    stop();
    await codex.request("account/logout", undefined);
    expect(seen).toEqual([[{ n: 1 }, 5]]);
    await codex.disconnect();
  },
  FAKE,
);

verifies(
  "client.events",
  "a notification reaches the listeners that existed when it arrived, even if some are added or removed meanwhile",
  async () => {
    const fake = wireScript({
      script: [
        { send: { method: "skills/changed", params: {} } },
        { send: { method: "skills/changed", params: {} } },
        { on: "account/logout", result: {} },
      ],
    });
    const codex = new CodexClient({ transport: fake.transport });
    const heard: string[] = [];
    const hear = (name: string): (() => void) =>
      codex.onNotification("skills/changed", () => void heard.push(name));
    const stopFirst = codex.onNotification("skills/changed", () => {
      heard.push("first");
      stopFirst();
      stopFirst();
      stopSecond();
      hear("late");
    });
    const stopSecond = hear("second");
    hear("third");
    await codex.connect();
    await codex.request("account/logout", undefined);
    expect(heard).toEqual(["first", "second", "third", "third", "late"]);
    await codex.disconnect();
  },
  FAKE,
);

verifies(
  "client.events",
  "a listener that throws causes a warning and stops neither the other listeners nor the connection",
  async () => {
    const fake = wireScript({
      script: [
        { send: { method: "skills/changed", params: {} } },
        { raw: "a stray log line" },
        { on: "account/logout", result: {} },
      ],
    });
    const codex = new CodexClient({ transport: fake.transport });
    const warnings: string[] = [];
    codex.on("warning", ({ code, message }) => warnings.push(`${code}: ${message}`));
    codex.on("warning", () => {
      throw new Error("even this one");
    });
    const second = deferred();
    codex.onNotification("skills/changed", () => {
      throw new Error("mine");
    });
    codex.onNotification("skills/changed", () => second.resolve());
    await codex.connect();
    await second.promise;
    await codex.request("account/logout", undefined);
    expect(warnings).toEqual([
      "listener_failed: a listener of skills/changed threw",
      "bad_line: skipped a line of 16 characters: not JSON",
    ]);
    await codex.disconnect();
  },
  FAKE,
);

verifies(
  "client.events",
  "once() receives one event, off() removes a listener, and an unhandled error event never throws",
  async () => {
    const script: WireStep[] = [
      { raw: "bad" },
      { raw: "bad" },
      { on: "account/logout", result: {} },
      { exit: 1 },
    ];
    const codex = new CodexClient({ transport: wireScript({ script }).transport });
    const heard: string[] = [];
    const dropped = (): void => void heard.push("off");
    const exit = deferred();
    codex
      .once("warning", () => heard.push("once"))
      .on("warning", dropped)
      .off("warning", dropped)
      .on("exit", () => exit.resolve());
    await codex.connect();
    await codex.request("account/logout", undefined);
    await exit.promise;
    expect(heard).toEqual(["once"]);
    await codex.disconnect();
  },
  FAKE,
);

verifies(
  "client.server-death",
  "the loss of the server rejects pending requests and emits error and exit, once each",
  async () => {
    using fake = wireScript({
      script: [{ on: "model/list" }, { stderr: "panicked\n" }, { exit: 101 }],
    });
    const codex = await CodexClient.connect({ codexPath: fake.executable });
    const events: string[] = [];
    const stderr: string[] = [];
    codex.on("error", (error) => events.push(`error ${error.code}`));
    codex.on("exit", (reason) => events.push(`exit ${reason.exitCode}`));
    codex.on("stderr", (text) => stderr.push(text));
    const error = await rejection(codex.request("model/list", {}));
    expect(error).toMatchObject({
      code: "connection_closed",
      exitCode: 101,
      stderrTail: "panicked\n",
      delivery: "unknown",
    });
    const later = await rejection(codex.request("model/list", {}));
    expect(later).toMatchObject({ code: "connection_closed", delivery: "notSent", exitCode: 101 });
    expect(events).toEqual(["error connection_closed", "exit 101"]);
    expect(stderr.join("")).toBe("panicked\n");
    await codex.disconnect();
  },
  FAKE,
);

verifies(
  "client.default-answers",
  "every server request without a handler gets its documented default",
  async () => {
    const asked: [method: string, params: object][] = [
      ["item/commandExecution/requestApproval", { threadId: "t1", turnId: "u", itemId: "i" }],
      ["item/fileChange/requestApproval", { threadId: "t1", turnId: "u", itemId: "i" }],
      ["item/permissions/requestApproval", { threadId: "t1", turnId: "u", itemId: "i" }],
      ["item/tool/requestUserInput", { threadId: "t1", turnId: "u", itemId: "i", questions: [] }],
      ["mcpServer/elicitation/request", { threadId: "t1", serverName: "s", mode: "form" }],
      ["item/tool/call", { threadId: "t1", turnId: "u", callId: "c", tool: "weather", arguments: {} }],
      ["currentTime/read", { threadId: "t1" }],
      ["account/chatgptAuthTokens/refresh", { reason: "unauthorized" }],
      ["attestation/generate", {}],
      ["execCommandApproval", { conversationId: "c" }],
      ["applyPatchApproval", { conversationId: "c" }],
      ["something/new", {}],
    ];
    const script = asked.flatMap(([method, params], id): WireStep[] => [
      { send: { id, method, params } },
      { answered: id },
    ]);
    const fake = wireScript({
      script: [started, ...script, { send: { method: "skills/changed", params: {} } }],
    });
    const codex = new CodexClient({ transport: fake.transport });
    const done = deferred();
    codex.onNotification("skills/changed", () => done.resolve());
    await codex.connect();
    await codex.startThread();
    await done.promise;
    const answers = fake.received.filter((message) => message.method === undefined);
    expect(answers.map(({ result, error }) => result ?? error?.code)).toEqual([
      { decision: "decline" },
      { decision: "decline" },
      { permissions: {} },
      { answers: {} },
      { action: "decline", content: null, _meta: null },
      {
        success: false,
        contentItems: [{ type: "inputText", text: "There is no tool named weather. There are no tools." }],
      },
      { currentTimeAt: expect.any(Number) },
      -32603,
      -32603,
      { decision: "denied" },
      { decision: "denied" },
      -32601,
    ]);
    await codex.disconnect();
  },
  FAKE,
);

verifies(
  "client.default-answers",
  "a registered handler answers instead; the newest one is used until it is removed",
  async () => {
    const ask = (id: number): WireStep[] => [
      { send: { id, method: "item/tool/call", params: { threadId: "t1", tool: "a" } } },
      { answered: id },
    ];
    const fake = wireScript({
      script: [
        ...ask(0),
        { on: "account/logout", result: {} },
        ...ask(1),
        { on: "account/logout", result: {} },
      ],
    });
    const codex = new CodexClient({ transport: fake.transport });
    codex.onServerRequest("item/tool/call", () => ({ success: true, contentItems: [] }));
    const stop = codex.onServerRequest("item/tool/call", async ({ tool }) => ({
      success: true,
      contentItems: [{ type: "inputText", text: `called ${tool}` }],
    }));
    await codex.connect();
    await codex.request("account/logout", undefined);
    stop();
    await codex.request("account/logout", undefined);
    const answers = fake.received.filter((message) => message.method === undefined);
    expect(answers.map((answer) => answer.result)).toEqual([
      { success: true, contentItems: [{ type: "inputText", text: "called a" }] },
      { success: true, contentItems: [] },
    ]);
    await codex.disconnect();
  },
  FAKE,
);
