import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect } from "vitest";
import { CodexClient, type CodexClientOptions } from "codexwright";
import { websocket } from "codexwright/websocket";
import { fakeAppServer, reply, type Fault, type FakeAppServer } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";

const FAKE: VerifiesOptions = { against: "fake", timeoutMs: 30_000 };

function faulty(...faults: readonly Fault[]): FakeAppServer {
  return fakeAppServer({ model: () => reply("all of it", { deltas: 3 }), faults });
}

function connect(fake: FakeAppServer, options: Partial<CodexClientOptions> = {}): Promise<CodexClient> {
  return CodexClient.connect({ ...options, transport: fake.transport } as CodexClientOptions);
}

verifies(
  "testing.fake.faults",
  "a crash in the middle of a message ends the turn, and a client that reconnects can continue",
  async () => {
    await using fake = faulty({ on: "delta", nth: 5, fault: "crash" });
    await using codex = await connect(fake, { reconnect: { attempts: 5 } });
    const thread = await codex.startThread();
    await thread.run("first");
    const back = new Promise<void>((resolve) => codex.once("reconnected", () => resolve()));
    expect(await rejection(thread.run("second"))).toMatchObject({
      code: "turn_interrupted",
      recovered: true,
    });
    await back;
    expect((await thread.run("third")).agentMessage).toBe("all of it");
  },
  FAKE,
);

verifies(
  "testing.fake.faults",
  "a crash ends the program that acts as the server, and closes a socket",
  async () => {
    await using fake = faulty({ on: "turn/start", fault: "crash" }, { on: "thread/list", fault: "crash" });
    await using codex = await CodexClient.connect({ codexPath: fake.executable, cwd: fake.cwd });
    const thread = await codex.startThread();
    expect(await rejection(thread.run("go"))).toMatchObject({ code: "connection_closed", exitCode: 1 });
    const { url } = await fake.listen("ws://127.0.0.1:0");
    await using other = await CodexClient.connect({ transport: websocket(url) });
    expect(await rejection(other.listThreads())).toMatchObject({ code: "connection_closed" });
  },
  FAKE,
);

verifies(
  "testing.fake.faults",
  "bad and huge lines, duplicate events and events before their answer do not break a turn",
  async () => {
    const warnings: string[] = [];
    await using fake = faulty(
      { on: "turn/started", fault: "badLine" },
      { on: "item/started", fault: "hugeLine" },
      { on: "item/completed", nth: 2, fault: "duplicate" },
      { on: "turn/start", fault: "earlyEvents" },
    );
    await using codex = await connect(fake);
    codex.on("warning", ({ code }) => warnings.push(code));
    const order: string[] = [];
    codex.onNotification("turn/started", () => order.push("started"));
    const thread = await codex.startThread();
    const turn = thread.turn("go");
    void turn.started.then(() => order.push("answered"));
    const { items, agentMessage } = await turn.completed;
    expect(agentMessage).toBe("all of it");
    expect(items.filter(({ type }) => type === "agentMessage")).toHaveLength(1);
    expect(order).toEqual(["started", "answered"]);
    expect(warnings).toContain("bad_line");
  },
  FAKE,
);

verifies(
  "testing.fake.faults",
  "an overloaded server rejects a request before it runs, and a client waits for a server that starts slowly",
  async () => {
    await using fake = faulty(
      { on: "initialize", fault: { delayMs: 20 } },
      { on: "thread/start", fault: "overload" },
    );
    await using codex = await connect(fake);
    const thread = await codex.startThread();
    expect((await thread.run("go")).agentMessage).toBe("all of it");
    expect((await codex.request("thread/loaded/list", {})).data).toEqual([thread.id]);
  },
  FAKE,
);

verifies(
  "testing.fake.faults",
  "if the notification of a turn's end is missing, the client reads the turn from the server; a request to a stalled server rejects at its time limit",
  async () => {
    await using fake = faulty(
      { on: "turn/completed", fault: "missing" },
      { on: "model/list", fault: "stall" },
    );
    await using codex = await connect(fake);
    const thread = await codex.startThread();
    const result = await thread.run("go");
    expect(result).toMatchObject({ agentMessage: "all of it", source: "reconciled" });
    const silent = codex.request("model/list", {}, { timeoutMs: 50 });
    expect(await rejection(silent)).toMatchObject({ code: "request_timeout" });
  },
  FAKE,
);

verifies(
  "testing.fake.transports",
  "a program with unread output does not delay the closing of the fake",
  async () => {
    const fake = faulty({ on: "initialize", fault: "hugeLine" });
    const child = spawn(fake.executable, ["app-server"], { stdio: ["pipe", "pipe", "ignore"] });
    try {
      const params = { clientInfo: { name: "reader", version: "1" } };
      child.stdin.on("error", () => {}).write(`${JSON.stringify({ id: 0, method: "initialize", params })}\n`);
      // The first of the 8 MiB have arrived, and are not read.
      await once(child.stdout, "readable");
      await fake[Symbol.asyncDispose]();
      expect(existsSync(fake.cwd)).toBe(false);
    } finally {
      child.kill("SIGKILL");
    }
  },
  FAKE,
);
