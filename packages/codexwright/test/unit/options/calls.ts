/**
 * Every public call that takes options, by the id of its parameter in `public-calls.ts`. Each row makes the call with
 * the given options; `valid` are its required options.
 */
import { tmpdir } from "node:os";
import { CodexClient as NodeClient } from "codexwright";
import {
  BudgetMeter,
  CodexAgent,
  createSession,
  deadlineNudge,
  definePrompt,
  jsonSchema,
  memoryFs,
  provide,
  resource,
  Resources,
  section,
  Session,
  slice,
  ToolRunner,
} from "codexwright/agent";
import { CodexClient, ok, serverRequestHandler, tool } from "codexwright/client";
import * as recording from "codexwright/recording";
import { Connection, memoryPair, tap } from "codexwright/rpc";
import { Endpoint, listen } from "codexwright/server";
import { findCodex, stdio } from "codexwright/stdio";
import { EngineServer } from "@codexwright/engine";
import * as node from "@codexwright/engine/node";
import { Gateway } from "@codexwright/gateway";
import * as kit from "@codexwright/testing";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { hasChanges, Workspace } from "codexwright/workspace";
import { Realtime } from "../../../src/client/services/realtime/realtime.ts";
import { SearchSession } from "../../../src/client/services/search/session.ts";
import { ExecHandle } from "../../../src/client/services/commands/exec.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- as from plain JavaScript
type Untyped = any;

export interface Row {
  readonly valid: object;
  readonly call: (options: Untyped) => unknown;
  /** Prefix of the option's path, if it is nested. */
  readonly prefix?: string;
}

/** Returns the error that a call throws or rejects with. */
export async function failure(
  { call }: Row,
  options: unknown,
): Promise<{ readonly code?: unknown; readonly message?: string }> {
  try {
    await call(options);
  } catch (error) {
    return error as { code?: unknown; message?: string };
  }
  return { message: "the call did not fail" };
}

export interface World extends AsyncDisposable {
  readonly rows: Readonly<Record<string, Row>>;
  /** Number of lines that clients have sent so far. */
  readonly sent: () => number;
}

const anything = jsonSchema({ type: "object" });
const plain = definePrompt({ id: "plain", sections: [section({ key: "a", title: "A", body: "b" })] });
const never = (): never => {
  throw new Error("a call with invalid options was not rejected");
};

export async function openWorld(): Promise<World> {
  const fake = kit.fakeAppServer({ model: () => kit.reply("done") });
  let sent = 0;
  const transport = tap(fake.transport, (direction) => {
    if (direction === "out") sent++;
  });
  const codex = await CodexClient.connect({ transport });
  const thread = await codex.startThread();
  const agent = await CodexAgent.open({ connect: never });
  const run = agent.run(plain);
  await run.result.catch(() => {});
  const endpoint = new Endpoint({ handlers: {} });
  const connection = endpoint.accept(memoryPair()[1]);
  const rpc = new Connection({
    transport: memoryPair()[0],
    maxInFlight: 1,
    handlers: { notification() {}, request() {}, badLine() {}, closed() {} },
  });
  // Incomplete handles: only the check of their options runs.
  const realtime = Object.create(Realtime.prototype) as Realtime;
  const search = new SearchSession(
    { onNotification: () => () => {}, onClosed: () => () => {}, request: never } as never,
    "session",
  );
  const own = new EngineServer(ENGINE);
  const command = Object.create(ExecHandle.prototype) as ExecHandle;
  const target = kit.fakeTarget();
  const scenario = kit.scenarios[0] ?? never();

  const call = (make: (options: Untyped) => unknown): Row => ({ valid: {}, call: make });
  const row = (valid: object, make: (options: Untyped) => unknown): Row => ({ valid, call: make });
  const agentTools = { tools: [], session: createSession({ slices: [] }), resources: new Resources([]) };
  const absolute = "/tmp/x";

  const rows: Record<string, Row> = {
    "new CodexClient(options)": row({ transport }, (o) => new NodeClient(o)),
    "CodexClient.connect(options)": row({ transport }, (o) => NodeClient.connect(o)),
    "CodexClient.startThread(options)": call((o) => codex.startThread(o)),
    "CodexClient.startThread(call)": call((o) => codex.startThread({}, o)),
    "CodexClient.resumeThread(options)": call((o) => codex.resumeThread("t", o)),
    "CodexClient.resumeThread(call)": call((o) => codex.resumeThread("t", {}, o)),
    "CodexClient.forkThread(options)": call((o) => codex.forkThread("t", o)),
    "CodexClient.forkThread(call)": call((o) => codex.forkThread("t", {}, o)),
    "CodexClient.threads(filter)": call((o) => codex.threads(o).next()),
    "CodexClient.listThreads(params)": call((o) => codex.listThreads(o)),
    "CodexClient.startTurn(params)": row({ threadId: "t", input: "x" }, (o) => codex.startTurn(o)),
    "CodexClient.runTurn(params)": row({ threadId: "t", input: "x" }, (o) => codex.runTurn(o)),
    "CodexClient.steerTurn(params)": row({ threadId: "t", input: "x", expectedTurnId: "u" }, (o) =>
      codex.steerTurn(o),
    ),
    "CodexClient.startReview(params)": row({ threadId: "t", target: { type: "uncommittedChanges" } }, (o) =>
      codex.startReview(o),
    ),
    "CodexClient.runReview(params)": row({ threadId: "t", target: { type: "uncommittedChanges" } }, (o) =>
      codex.runReview(o),
    ),
    "CodexClient.listModels(params)": call((o) => codex.listModels(o)),
    "CodexClient.models(filter)": call((o) => codex.models(o).next()),
    "CodexClient.exec(options)": call((o) => codex.exec(["true"], o)),
    "CodexClient.execCommand(params)": row({ command: ["true"] }, (o) => codex.execCommand(o)),
    "CodexClient.watch(options)": call((o) => codex.watch(absolute, o)),
    "CodexClient.account(options)": call((o) => codex.account(o)),
    "CodexClient.logout(call)": call((o) => codex.logout(o)),
    "CodexClient.skills(options)": call((o) => codex.skills(o)),
    "CodexClient.search(options)": row({ roots: [absolute] }, (o) => codex.search("q", o)),
    "CodexClient.searchSession(options)": row({ roots: [absolute] }, (o) => codex.searchSession(o)),
    "CodexClient.request(options)": call((o) => codex.request("model/list", {}, o)),
    "Login.apiKey(call)": call((o) => codex.login.apiKey("k", o)),
    "Login.chatgpt(options)": call((o) => codex.login.chatgpt(o)),
    "Login.deviceCode(call)": call((o) => codex.login.deviceCode(o)),
    "Login.tokens(tokens)": row({ accessToken: "a", chatgptAccountId: "b" }, (o) => codex.login.tokens(o)),
    "Login.tokens(call)": call((o) => codex.login.tokens({ accessToken: "a", chatgptAccountId: "b" }, o)),
    "RateLimits.read(options)": call((o) => codex.rateLimits.read(o)),
    "ExecHandle.resize(size)": row({ cols: 1, rows: 1 }, (o) => command.resize(o)),
    "Config.read(options)": call((o) => codex.config.read(o)),
    "Config.requirements(call)": call((o) => codex.config.requirements(o)),
    "Config.write(options)": call((o) => codex.config.write("a", 1, o)),
    "Config.batchWrite(options)": call((o) => codex.config.batchWrite([], o)),
    "CodexFs.readFile(options)": call((o) => codex.fs.readFile(absolute, o)),
    "CodexFs.readText(options)": call((o) => codex.fs.readText(absolute, o)),
    "CodexFs.writeFile(options)": call((o) => codex.fs.writeFile(absolute, "", o)),
    "CodexFs.createDirectory(options)": call((o) => codex.fs.createDirectory(absolute, o)),
    "CodexFs.stat(options)": call((o) => codex.fs.stat(absolute, o)),
    "CodexFs.readDirectory(options)": call((o) => codex.fs.readDirectory(absolute, o)),
    "CodexFs.remove(options)": call((o) => codex.fs.remove(absolute, o)),
    "CodexFs.copy(options)": call((o) => codex.fs.copy(absolute, absolute, o)),
    "Mcp.login(options)": call((o) => codex.mcp.login("s", o)),
    "Mcp.servers(filter)": call((o) => codex.mcp.servers(o).next()),
    "Mcp.servers(call)": call((o) => codex.mcp.servers({}, o).next()),
    "Mcp.reload(call)": call((o) => codex.mcp.reload(o)),
    "Realtime.appendText(options)": call((o) => realtime.appendText("x", o)),
    "SearchSession.update(call)": call((o) => search.update("x", o)),
    "Thread.run(options)": call((o) => thread.run("x", o)),
    "Thread.turn(options)": call((o) => thread.turn("x", o)),
    "Thread.send(options)": row({ mode: "queue" }, (o) => thread.send("x", o)),
    "Thread.read(call)": call((o) => thread.read(false, o)),
    "Thread.setName(call)": call((o) => thread.setName("n", o)),
    "Thread.archive(call)": call((o) => thread.archive(o)),
    "Thread.unarchive(call)": call((o) => thread.unarchive(o)),
    "Thread.delete(call)": call((o) => thread.delete(o)),
    "Thread.compact(call)": call((o) => thread.compact(o)),
    "Thread.shellCommand(call)": call((o) => thread.shellCommand("true", o)),
    "Thread.updateMetadata(metadata)": call((o) => thread.updateMetadata(o)),
    "Thread.updateMetadata(call)": call((o) => thread.updateMetadata({}, o)),
    "Thread.realtime(options)": call((o) => thread.realtime(o)),
    "Thread.unsubscribe(call)": call((o) => thread.unsubscribe(o)),
    "Thread.fork(options)": call((o) => thread.fork(o)),
    "Thread.revert(target)": row({ numTurns: 1 }, (o) => thread.revert(o)),
    "serverRequestHandler(options)": call((o) => serverRequestHandler(o)),
    "ok(options)": call((o) => ok(1, o)),
    "tool(options)": row({ name: "t", description: "d", input: anything, run: never }, (o) => tool(o)),

    "new Connection(options)": row(
      { transport: memoryPair()[0], handlers: {}, maxInFlight: 1 },
      (o) => new Connection(o),
    ),
    "Connection.request(options)": call((o) => rpc.request("m", {}, o)),
    "createRedactor(options)": call((o) => recording.createRedactor(o)),
    "stdio(options)": call((o) => stdio(o)),
    "findCodex(options)": call((o) => findCodex(o)),
    "unixSocket(options)": call((o) => unixSocket("/none", o)),
    "websocket(options)": call((o) => websocket("ws://127.0.0.1:1", o)),
    "listen(options)": call((o) => listen(endpoint, "ws://127.0.0.1:0", o)),
    "new Endpoint(options)": row({ handlers: {} }, (o) => new Endpoint(o)),
    "Endpoint.request(options)": call((o) => endpoint.request("currentTime/read", { threadId: "t" }, o)),
    "ClientConnection.request(options)": call((o) =>
      connection.request("currentTime/read", { threadId: "t" }, o),
    ),
    "ThreadChannel.request(options)": call((o) =>
      endpoint.thread("t").request("currentTime/read", { threadId: "t" }, o),
    ),
    "Endpoint.shutdown(options)": call((o) => endpoint.shutdown(o)),
    "new EngineServer(options)": row(ENGINE, (o) => new EngineServer(o)),
    "EngineServer.shutdown(options)": call((o) => own.shutdown(o)),
    "engine(options)": call((o) => node.engine(o)),
    "engineDefaults(options)": call((o) => node.engineDefaults(o)),
    "bubblewrap(options)": call((o) => node.bubblewrap(o)),
    "loadConfig(options)": call((o) => node.loadConfig(o)),
    "nodeShell(options)": call((o) => node.nodeShell(o)),
    "aiSdkProvider(options)": row({}, (o) =>
      node.aiSdkProvider(
        { specificationVersion: "v3", provider: "p", modelId: "m", doStream: () => never() },
        o,
      ),
    ),
    "responses(options)": row({ baseUrl: "http://127.0.0.1:9" }, (o) => node.responses(o)),
    "rolloutStore(options)": row({ home: tmpdir() }, (o) => node.rolloutStore(o)),
    "ruleFiles(options)": row({ home: tmpdir() }, (o) => node.ruleFiles(o)),
    "Gateway.open(options)": row({ transport: () => Promise.reject(new Error("none")) }, (o) =>
      Gateway.open(o),
    ),

    "new BudgetMeter(budget)": {
      ...row({ totalTokens: 1 }, (o) => new BudgetMeter(o)),
      prefix: "budget.",
    },
    "definePrompt(options)": row({ id: "p", sections: [section({ key: "a", title: "A" })] }, (o) =>
      definePrompt(o),
    ),
    "Prompt.render(options)": call((o) => plain.render({}, o)),
    "section(options)": row({ key: "a", title: "A" }, (o) => section(o)),
    "provide(options)": call((o) => provide(resource("r"), never, o)),
    "new Resources(options)": call((o) => new Resources([], o)),
    "CodexAgent.open(options)": row({ connect: never }, (o) => CodexAgent.open(o)),
    "CodexAgent.run(options)": call((o) => agent.run(plain, o)),
    "Run.bundle(options)": call((o) => run.bundle(memoryFs(), o)),
    "createSession(options)": row({ slices: [] }, (o) => createSession(o)),
    "Session.parse(options)": row({ slices: [] }, (o) => Session.parse("{}", o)),
    "Session.replay(options)": row({ slices: [] }, (o) => Session.replay([], o)),
    "slice(options)": row({ schema: anything, initial: {} }, (o) => slice("s", o)),
    "deadlineNudge(options)": call((o) => deadlineNudge(o)),
    "new ToolRunner(options)": row(agentTools, (o) => new ToolRunner(o)),

    "hasChanges(target)": row({ type: "baseBranch", branch: "main" }, (o) => hasChanges(tmpdir(), o)),
    "Workspace.at(options)": row({ checkpoints: absolute }, (o) => Workspace.at("/none", o)),
    "Workspace.create(options)": row({ mounts: [], allowedRoots: "any" }, (o) => Workspace.create(o)),
    "Workspace.worktree(options)": row({ repo: absolute, allowedRoots: "any" }, (o) => Workspace.worktree(o)),

    "new FakeAppServer(options)": row({ model: [] }, (o) => new kit.FakeAppServer(o)),
    "fakeAppServer(options)": row({ model: [] }, (o) => kit.fakeAppServer(o)),
    "FakeAppServer.listen(options)": call((o) => fake.listen("ws://127.0.0.1:0", o)),
    "applyPatch(options)": call((o) => kit.applyPatch("p", o)),
    "exec(options)": call((o) => kit.exec("c", o)),
    "fail(options)": call((o) => kit.fail(400, o)),
    "mcpCall(options)": call((o) => kit.mcpCall("s", "n", {}, o)),
    "plan(options)": call((o) => kit.plan([], o)),
    "reasoning(options)": call((o) => kit.reasoning("r", o)),
    "reply(options)": call((o) => kit.reply("r", o)),
    "subAgent(options)": call((o) => kit.subAgent("m", o)),
    "toolCall(options)": call((o) => kit.toolCall("n", {}, o)),
    "truncate(options)": call((o) => kit.truncate("t", o)),
    "usage(tokens)": call((o) => kit.usage(o)),
    "userInput(options)": call((o) => kit.userInput([], o)),
    "realAppServer(options)": row({ model: { baseUrl: "http://127.0.0.1:1/v1" } }, (o) =>
      kit.realAppServer(o),
    ),
    "wireScript(options)": row({ script: [] }, (o) => kit.wireScript(o)),
    "fakeTarget(options)": call((o) => kit.fakeTarget(o)),
    "realTarget(options)": row({ version: "0.166.0" }, (o) => kit.realTarget(o)),
    "runScenario(options)": call((o) => kit.runScenario(scenario, target, o)),
    "compareTranscripts(options)": call((o) => recording.compareTranscripts([], [], o)),
    "normalize(options)": call((o) => recording.normalize([], o)),
    "record(options)": call((o) => recording.record(transport, () => {}, o)),
    "replay(options)": call((o) => recording.replay("none.ndjson", o)),
  };
  return {
    rows,
    sent: () => sent,
    async [Symbol.asyncDispose]() {
      await rpc.close();
      await endpoint.shutdown();
      await own.close();
      await agent[Symbol.asyncDispose]();
      await codex.disconnect();
      await fake[Symbol.asyncDispose]();
    },
  };
}

/** Parameters that look like options but are not checked, with the reason. */
export const NOT_CHECKED: Readonly<Record<string, string>> = {
  "new ExecHandle(__2)": "created by exec(), which has checked them",
  "new Watch(__2)": "created by watch(), which has checked them",
  "new ToolOk(options)": "created by ok(), which has checked them",
  "new ToolFailure(options)": "an error that the caller throws",
  "ToolRunner.call(params)": "a message from the server",
  "Files.remove(options)": "a port that the caller implements",
  "AiSdkModel.doStream(call)": "implemented by the caller",
  "McpServers.find(call)": "a port that the caller implements",
  "MemoryThreadStore.append(__1)": "a port, called by the engine",
  "ShellProcess.resize(size)": "a port, called by the engine",
  "ToolHandler.run(call)": "implemented by the caller",
  "providerOf(__0)": "takes what loadConfig returned",
  "BudgetMeter.record(__1)": "counts from the server",
  "ToolPolicy.check(call)": "implemented by the caller",
  "ConformanceTarget.client(options)": "implemented by the caller",
  "World.connect(options)": "passed to CodexClient, which checks them",
  "runScenario(target)": "a target, not options",
  "unsupportedReason(target)": "a target, not options",
};

/** Ports that are never used: the engine checks its options first. */
const ENGINE = {
  provider: { id: "none", models: async () => [], stream: () => never() },
  config: { model: "none" },
  shell: { start: () => never() },
  files: node.nodeFiles(),
  platform: node.nodePlatform(),
  home: tmpdir(),
  cwd: tmpdir(),
};

/** `CodexAgent.run` takes its options as rest arguments, which the declarations do not show as an object. */
export const MORE_CALLS: Readonly<Record<string, readonly string[]>> = {
  "CodexAgent.run(options)": [
    "model",
    "effort",
    "summary",
    "personality",
    "input",
    "session",
    "workspace",
    "cwd",
    "resources",
    "deadlineMs",
    "budget",
    "signal",
    "silenceMs",
    "sandboxPolicy",
    "threadName",
    "threadId",
    "reuseThread",
    "eventLog",
    "resumeText",
    "expansion",
    "repair",
    "retry",
  ],
};
