import { expect } from "vitest";
import CodexDefault, { CodexClient, type CodexClientOptions } from "codexwright";
import { CodexClient as NeutralClient } from "codexwright/client";
import { wireScript, type WireStep } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";

const FAKE: VerifiesOptions = { against: "fake" };

/** How the real server rejects an unknown method. */
const METHODS =
  "Invalid request: unknown variant `x`, expected one of `initialize`, `thread/start`, `turn/start`";

function answering(userAgent: string, more: readonly WireStep[] = []) {
  const script: WireStep[] = [
    { on: "initialize", result: { userAgent } },
    { on: "initialized" },
    { on: "codexwright/methods", error: { code: -32600, message: METHODS } },
    ...more,
  ];
  return wireScript({ handshake: false, script });
}

verifies(
  "client.handshake",
  "connect() sends initialize with id 0, then initialized, and returns the server info",
  async () => {
    const fake = wireScript({ script: [{ on: "model/list", result: { data: [], nextCursor: null } }] });
    await using codex = await CodexClient.connect({
      transport: fake.transport,
      clientName: "panel",
      clientTitle: "A panel",
      clientVersion: "1.2.3",
      optOutNotifications: ["account/rateLimits/updated"],
    });
    expect(codex.server).toMatchObject({ version: "0.166.0", platformFamily: "unix", platformOs: "linux" });
    await codex.request("model/list", {});
    expect(fake.received).toEqual([
      {
        id: 0,
        method: "initialize",
        params: {
          clientInfo: { name: "panel", title: "A panel", version: "1.2.3" },
          capabilities: { experimentalApi: true, optOutNotificationMethods: ["account/rateLimits/updated"] },
        },
      },
      { method: "initialized", params: {} },
      { id: 1, method: "codexwright/methods", params: {} },
      { id: 2, method: "model/list", params: {} },
    ]);
  },
  FAKE,
);

verifies(
  "client.handshake",
  "reads the version from the user agent, even with a slash in the client name; the version may be unknown",
  async () => {
    const cases: [name: string, userAgent: string, version: string][] = [
      ["codexwright", "codexwright/0.98.0 (Debian; x86_64) xterm (codexwright; 0.1.0)", "0.98.0"],
      ["a/b", "a/b/0.166.0-alpha.2 (Mac OS; arm64)", "0.166.0-alpha.2"],
      ["mine", "first/0.150.1 (Linux)", "0.150.1"],
      ["mine", "something else", "unknown"],
    ];
    for (const [clientName, userAgent, version] of cases) {
      await using codex = await CodexClient.connect({
        transport: answering(userAgent).transport,
        clientName,
      });
      expect(codex.server.version).toBe(version);
    }
  },
  FAKE,
);

verifies(
  "client.supports",
  "supports() uses the server's own list, and returns true if the server sends none",
  async () => {
    await using codex = await CodexClient.connect({ transport: answering("x/0.166.0").transport });
    expect(["thread/start", "thread/revert"].map((method) => codex.supports(method))).toEqual([true, false]);
    const silent = wireScript({ script: [] });
    await using other = await CodexClient.connect({ transport: silent.transport });
    expect(other.supports("thread/revert")).toBe(true);
    expect(() => new CodexClient({ transport: silent.transport }).supports("x")).toThrow("connect");
  },
  FAKE,
);

verifies(
  "client.startup",
  "stops a server that never answers and rejects with startup_timeout",
  async () => {
    const fake = wireScript({ handshake: false, script: [{ on: "initialize" }] });
    const codex = new CodexClient({ transport: fake.transport, startupTimeoutMs: 20 });
    expect(await rejection(codex.connect())).toMatchObject({ code: "startup_timeout", timeoutMs: 20 });
    expect(await rejection(codex.connect())).toMatchObject({ code: "startup_timeout" });
  },
  FAKE,
);

verifies(
  "client.startup",
  "reports the exit code and stderr of a server that exits during the handshake",
  async () => {
    using fake = wireScript({
      handshake: false,
      script: [{ on: "initialize" }, { stderr: "bad config\n" }, { exit: 1 }],
    });
    const error = await rejection(CodexClient.connect({ codexPath: fake.executable }));
    expect(error).toMatchObject({ code: "connection_closed", exitCode: 1, stderrTail: "bad config\n" });
  },
  FAKE,
);

verifies(
  "client.lifecycle",
  "calls before connect and after disconnect reject with not_connected, and disconnect may be called twice",
  async () => {
    const codex = new CodexClient({ transport: answering("x/1.0.0").transport });
    expect(() => codex.server).toThrow(/await connect\(\) first/);
    const early = await rejection(codex.request("model/list", {}));
    expect(early).toMatchObject({ code: "not_connected", delivery: "notSent" });
    await codex.connect();
    const pending = rejection(codex.request("model/list", {}));
    await Promise.all([codex.disconnect(), codex.disconnect()]);
    expect(await pending).toMatchObject({ code: "connection_closed", delivery: "unknown" });
    expect(await rejection(codex.startThread())).toMatchObject({ code: "not_connected" });
    expect(await rejection(codex.connect())).toMatchObject({ code: "not_connected" });
  },
  FAKE,
);

verifies(
  "client.lifecycle",
  "disconnect() during connect() ends both",
  async () => {
    const fake = wireScript({ handshake: false, script: [] });
    const codex = new CodexClient({ transport: fake.transport, startupTimeoutMs: 50 });
    const connecting = rejection(codex.connect());
    await codex.disconnect();
    expect(await connecting).toMatchObject({ code: "not_connected" });
  },
  FAKE,
);

verifies("client.lifecycle", "the client is also the default export, and extends the browser client", () => {
  expect(CodexDefault).toBe(CodexClient);
  expect(new CodexClient({ transport: answering("x/1.0.0").transport })).toBeInstanceOf(NeutralClient);
});

verifies("client.options", "the constructor rejects invalid options and names them", () => {
  const { transport } = answering("x/1.0.0");
  const bad: [options: CodexClientOptions, named: string][] = [
    [{ transport, requestTimeoutMs: -1 }, "requestTimeoutMs"],
    [{ transport, turnSilenceMs: Number.NaN }, "turnSilenceMs"],
    [{ transport, startupTimeoutMs: 2 ** 31 }, "startupTimeoutMs"],
    [{ transport, maxInFlight: 0 }, "maxInFlight"],
    [{ transport, maxInFlight: 129 }, "from 1 to 128"],
    [{ transport, maxInFlight: 1e9 }, "from 1 to 128"],
    [{ transport, maxInFlight: Infinity }, "from 1 to 128"],
    [{ transport, maxInFlight: 1.5 }, "from 1 to 128"],
    [{ transport, optOutNotifications: ["turn/completed"] }, "turn/completed"],
    [{ transport, codexPath: "codex" } as unknown as CodexClientOptions, "codexPath"],
  ];
  for (const [options, named] of bad) {
    expect(() => new CodexClient(options)).toThrow(named);
  }
});

verifies("client.options", "rejects options of the wrong type, for JavaScript callers", () => {
  const { transport } = answering("x/1.0.0");
  const bad: [options: Record<string, unknown>, told: string][] = [
    [{ transport: "ws://127.0.0.1:1" }, "transport must be a function (got a string)"],
    [{ transport, onApproval: "accept" }, 'onApproval must be a function or "fail" (got "accept")'],
    [{ transport, onUserInput: {} }, 'onUserInput must be a function or "decline" or "fail" (got an object)'],
    [{ transport, onElicitation: true }, 'onElicitation must be a function or "fail" (got true)'],
    [
      { transport, requestTimeoutMs: "500" },
      'requestTimeoutMs must be ≥ 0 and ≤ 2147483647 milliseconds (got "500")',
    ],
    [
      { transport, reconnect: { attempts: "many" } },
      'reconnect.attempts must be an integer ≥ 0 or Infinity (got "many")',
    ],
    [
      { transport, reconnect: { attempts: Number.NaN } },
      "reconnect.attempts must be an integer ≥ 0 or Infinity (got NaN)",
    ],
    [{ codexPath: 5 }, "codexPath must be a non-empty string (got 5)"],
    [{ codexPath: "" }, "codexPath must be a non-empty string (got an empty string)"],
    [{ codexHome: {} }, "codexHome must be a string (got an object)"],
    [{ cwd: 5 }, "cwd must be a string (got 5)"],
  ];
  for (const [options, told] of bad) {
    expect(() => new CodexClient(options)).toThrow(
      expect.objectContaining({ code: "invalid_argument", message: expect.stringContaining(told) }),
    );
  }
  for (const good of [
    { onApproval: "fail" },
    { onUserInput: "decline" },
    { reconnect: { attempts: Infinity } },
  ] as const)
    expect(() => new CodexClient({ transport, ...good })).not.toThrow();
});
