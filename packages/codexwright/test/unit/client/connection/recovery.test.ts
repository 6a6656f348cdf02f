import { inspect } from "node:util";
import { expect } from "vitest";
import { CodexClient, type ClientWarning, type CodexClientOptions } from "codexwright";
import { memoryPair, type TransportFactory, type WireMessage } from "codexwright/rpc";
import { wireScript, type WireStep } from "@codexwright/testing";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { accepted, completed, FAKE, message, note, running } from "../fake-turn.ts";

const started: WireStep = {
  on: "thread/start",
  result: { thread: { id: "t1", turns: [] }, approvalPolicy: "never" },
};
const resumed: WireStep = {
  on: "thread/resume",
  result: { thread: { id: "t1", turns: [] }, approvalPolicy: "never" },
};
const pause: WireStep = { on: "account/logout", result: {} };

/** Servers that replace each other. The last script is used for all later servers. */
function servers(...scripts: (readonly WireStep[])[]) {
  const fakes = scripts.map((script) => wireScript({ script }));
  let next = 0;
  const transport: TransportFactory = (signal) => {
    const fake = fakes[Math.min(next++, fakes.length - 1)];
    if (!fake) throw new Error("no server is left");
    return fake.transport(signal);
  };
  /** The messages that one of the servers received, without the handshake. */
  const sent = (at: number): WireMessage[] => fakes[at]?.received.slice(3) ?? [];
  return { transport, count: () => next, sent };
}

function connect(
  transport: TransportFactory,
  reconnect: CodexClientOptions["reconnect"] = {},
): Promise<CodexClient> {
  return CodexClient.connect({ transport, reconnect });
}

verifies(
  "recovery.resume",
  "a running turn rejects as recovered, its thread is resumed, and queued turns run on the new server",
  async () => {
    const { transport } = servers(
      [started, accepted, running, pause, { exit: 1 }],
      [resumed, accepted, running, message("m2", "on the new one"), completed("completed"), pause],
    );
    await using codex = await connect(transport);
    const events: string[] = [];
    codex.on("exit", () => events.push("exit")).on("error", () => events.push("error"));
    codex.on("reconnected", ({ version }) => events.push(`reconnected ${version}`));
    const thread = await codex.startThread();
    const turn = thread.turn("go");
    const queued = await thread.send("then", { mode: "queue" });
    const outcome = rejection(turn.completed);
    await codex.request("account/logout", undefined);
    expect(await outcome).toMatchObject({ code: "turn_interrupted", recovered: true });
    expect((await queued.turn.completed).agentMessage).toBe("on the new one");
    await codex.request("account/logout", undefined);
    expect(events).toEqual(["exit", "reconnected 0.166.0"]);
  },
  FAKE,
);

verifies(
  "recovery.resume",
  "pending requests reject, and later ones wait for the new server",
  async () => {
    const { transport } = servers(
      [pause, { on: "model/list" }, { exit: 1 }],
      [{ on: "model/list", result: { data: [] } }],
    );
    await using codex = await connect(transport);
    await codex.request("account/logout", undefined);
    const error = await rejection(codex.request("model/list", {}));
    expect(error).toMatchObject({ code: "connection_closed", delivery: "unknown" });
    expect(await codex.request("model/list", {})).toEqual({ data: [] });
  },
  FAKE,
);

verifies(
  "recovery.resume",
  "a thread that was not stored rejects with no_rollout after a recovery",
  async () => {
    const { transport } = servers(
      [started, pause, { exit: 1 }],
      [{ on: "thread/resume", error: { code: -32600, message: "no rollout found for thread id t1" } }, pause],
    );
    await using codex = await connect(transport);
    const back = deferred();
    codex.on("reconnected", () => back.resolve());
    const thread = await codex.startThread({ ephemeral: true });
    await codex.request("account/logout", undefined);
    await back.promise;
    expect(await rejection(thread.run("go"))).toMatchObject({ code: "no_rollout" });
  },
  FAKE,
);

verifies(
  "recovery.crash-loop",
  "gives up with crash_loop if the server is lost soon after each restart",
  async () => {
    const { transport, count } = servers([started, accepted, running, pause, { exit: 1 }], [{ exit: 1 }]);
    await using codex = await connect(transport, { attempts: 3 });
    const failed = deferred<unknown>();
    const exited = deferred();
    codex.on("error", (error) => failed.resolve(error)).on("exit", () => exited.resolve());
    const thread = await codex.startThread();
    const turn = thread.turn("go");
    const outcome = rejection(turn.completed);
    await codex.request("account/logout", undefined);
    await exited.promise;
    const waiting = rejection(codex.request("model/list", {}));
    expect(await failed.promise).toMatchObject({ code: "crash_loop", attempts: 4 });
    expect(await outcome).toMatchObject({ code: "connection_closed" });
    expect(await waiting).toMatchObject({ code: "crash_loop" });
    expect(await rejection(codex.request("model/list", {}))).toMatchObject({ code: "crash_loop" });
    expect(count()).toBe(4);
  },
  FAKE,
);

verifies(
  "recovery.crash-loop",
  "a failed restart counts as a loss, and disconnect() ends the wait",
  async () => {
    let calls = 0;
    const first = wireScript({ script: [pause, { exit: 1 }] });
    const transport: TransportFactory = (signal) => {
      if (calls++ === 0) return first.transport(signal);
      throw new Error("the binary is gone");
    };
    const codex = await connect(transport, { attempts: 1_000 });
    const exited = deferred();
    codex.on("exit", () => exited.resolve());
    await codex.request("account/logout", undefined);
    await exited.promise;
    const waiting = rejection(codex.request("model/list", {}));
    await codex.disconnect();
    expect(await waiting).toMatchObject({ code: "not_connected" });
  },
  FAKE,
);

verifies(
  "recovery.fence",
  "ignores late messages of a lost server",
  async () => {
    const [ours, theirs] = memoryPair();
    const sinks: { line(text: string): void; closed(reason: { message: string }): void }[] = [];
    const second = wireScript({ script: [pause, note("skills/changed", { of: "new" }), pause] });
    let calls = 0;
    const transport: TransportFactory = (signal) => {
      if (calls++ > 0) return second.transport(signal);
      return {
        open: (sink) => {
          sinks.push(sink);
          ours.open(sink);
        },
        send: (text) => ours.send(text),
        close: () => Promise.resolve(),
      };
    };
    theirs.open({
      line: (text) => {
        const { id, method } = JSON.parse(text) as { id?: number; method: string };
        if (id === undefined) return;
        const result = method === "initialize" ? { userAgent: "codexwright/0.166.0 (x)" } : {};
        void theirs.send(JSON.stringify({ id, result }));
      },
      closed: () => {},
    });
    await using codex = await connect(transport);
    const heard: unknown[] = [];
    codex.onNotification("skills/changed", (params) => heard.push(params));
    const back = deferred();
    codex.on("reconnected", () => back.resolve());
    sinks[0]?.closed({ message: "lost" });
    await back.promise;
    sinks[0]?.line('{"method":"skills/changed","params":{"of":"old"}}');
    sinks[0]?.closed({ message: "once more" });
    await codex.request("account/logout", undefined);
    await codex.request("account/logout", undefined);
    expect(heard).toEqual([{ of: "new" }]);
  },
  FAKE,
);

const LOGIN = "account/login/start";
const loggedIn: readonly WireStep[] = [
  { on: LOGIN, result: { type: "chatgptAuthTokens" } },
  note("account/login/completed", { loginId: null, success: true, error: null }),
  note("account/updated", { authMode: "chatgptAuthTokens", planType: "pro" }),
];

/** Resolves with the next `reconnected`. */
function reconnection(codex: CodexClient): Promise<unknown> {
  return new Promise((resolve) => codex.once("reconnected", resolve));
}

verifies(
  ["recovery.tokens", "recovery.resume"],
  "sends the newest tokens to a new server before it resumes threads, until a logout",
  async () => {
    const refresh = {
      id: 7,
      method: "account/chatgptAuthTokens/refresh",
      params: { reason: "unauthorized" },
    };
    const { transport, sent } = servers(
      [started, ...loggedIn, { send: refresh }, { answered: 7 }, { exit: 1 }],
      [...loggedIn, resumed, pause, note("account/updated", { authMode: null, planType: null }), { exit: 1 }],
      [resumed, pause],
    );
    await using codex = await CodexClient.connect({
      transport,
      reconnect: {},
      refreshTokens: () => ({ accessToken: "renewed", chatgptAccountId: "account" }),
    });
    const thread = await codex.startThread();
    let back = reconnection(codex);
    await codex.login.tokens({ accessToken: "old", chatgptAccountId: "account" });
    await back;
    expect(sent(1).map(({ method }) => method)).toEqual([LOGIN, "thread/resume"]);
    expect(sent(1)[0]?.params).toEqual({
      type: "chatgptAuthTokens",
      accessToken: "renewed",
      chatgptAccountId: "account",
    });
    back = reconnection(codex);
    await codex.logout();
    await back;
    expect(sent(2).map(({ method }) => method)).toEqual(["thread/resume"]);
    expect(thread.id).toBe("t1");
  },
  FAKE,
);

verifies(
  ["recovery.tokens", "secrets.errors"],
  "resends tokens after another loss, and continues with a warning if they are rejected",
  async () => {
    const accessToken = "a-very-secret-token";
    const { transport, sent } = servers(
      [...loggedIn, pause, { exit: 1 }],
      [{ on: LOGIN }, { exit: 1 }],
      [{ on: LOGIN, result: { type: "chatgptAuthTokens" } }, { exit: 1 }],
      [{ on: LOGIN, error: { code: -32600, message: `no longer ${accessToken}` } }, pause],
    );
    await using codex = await connect(transport);
    const warnings: ClientWarning[] = [];
    codex.on("warning", (warning) => warnings.push(warning));
    await codex.login.tokens({ accessToken, chatgptAccountId: "account" });
    const back = reconnection(codex);
    await codex.logout();
    await back;
    for (const at of [1, 2, 3]) expect(sent(at).map(({ method }) => method)).toEqual([LOGIN]);
    expect(warnings).toMatchObject([
      { code: "login_lost", cause: { code: "auth_failed", message: "no longer [redacted]" } },
    ]);
    expect(inspect(warnings, { depth: 10, showHidden: true })).not.toContain(accessToken);
    await codex.logout();
  },
  FAKE,
);
