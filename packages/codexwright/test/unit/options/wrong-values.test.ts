import { definePrompt, section } from "codexwright/agent";
import { Endpoint, listen } from "codexwright/server";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { failure, MORE_CALLS, openWorld } from "./calls.ts";
import { objectParameters } from "./public-calls.ts";

const FAKE = { against: "fake", timeoutMs: 120_000 } as const;

const parameters = objectParameters();

/** Names whose values are checked by this library and not by the server. */
function ownNames(id: string): readonly string[] {
  const own = MORE_CALLS[id] ?? parameters.find((each) => each.id === id)?.own ?? [];
  // The schema of the prompt or of the slice validates these.
  return own.filter((name) => `${id} ${name}` !== "CodexAgent.run(options) input" && name !== "initial");
}

verifies(
  "options.values",
  "in every call, a value that no option accepts rejects with invalid_argument, the error names the option, and nothing is sent",
  async () => {
    await using world = await openWorld();
    const before = world.sent();
    const wrong: string[] = [];
    let tried = 0;
    for (const [id, row] of Object.entries(world.rows)) {
      for (const name of ownNames(id)) {
        tried++;
        const { code, message = "" } = await failure(row, { ...row.valid, [name]: Symbol("x") });
        if (code !== "invalid_argument" || !message.includes(name)) {
          wrong.push(`${id} { ${name} }: ${String(code)} ${message}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(250);
    expect(world.sent()).toBe(before);
  },
  FAKE,
);

verifies(
  "options.values",
  "rejects options that are not an object with invalid_argument in every call",
  async () => {
    await using world = await openWorld();
    const before = world.sent();
    const wrong: string[] = [];
    const { signal } = new AbortController();
    const bad = [null, "options", 5, true, Symbol("x"), () => {}, [], signal, new Map(), Promise.resolve({})];
    for (const [id, row] of Object.entries(world.rows)) {
      // A parameter with a default accepts undefined; the others have required options.
      const needsOne = Object.keys(row.valid).length > 0 && !id.includes("CodexClient(options)");
      const also = needsOne && id !== "CodexClient.connect(options)" && id !== "usage(tokens)";
      for (const options of also ? [...bad, undefined] : bad) {
        const { code, message } = await failure(row, options);
        if (code !== "invalid_argument") {
          wrong.push(`${id} ${typeof options}: ${String(code)} ${String(message)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(world.sent()).toBe(before);
  },
  FAKE,
);

const controller = new AbortController();

/** Invalid values of many kinds, with the expected message. */
const CASES: readonly (readonly [id: string, options: object, told: string])[] = [
  ["CodexAgent.run(options)", { retry: { attempts: -1 } }, "retry.attempts must be an integer ≥ 0 (got -1)"],
  ["CodexAgent.run(options)", { retry: {} }, "retry.attempts must be an integer ≥ 0 (got undefined)"],
  ["CodexAgent.run(options)", { retry: { attempts: 1, baseMS: 5 } }, 'the nearest is "retry.baseMs"'],
  ["CodexAgent.run(options)", { expansion: "maybe" }, 'expansion must be "auto" or "throw" (got "maybe")'],
  ["CodexAgent.run(options)", { repair: 1.5 }, "repair must be an integer ≥ 0 (got 1.5)"],
  ["CodexAgent.run(options)", { deadlineMs: Infinity }, "deadlineMs must be a finite number (got Infinity)"],
  [
    "CodexAgent.run(options)",
    { budget: { totalTokens: "9" } },
    'budget.totalTokens must be a number > 0 (got "9")',
  ],
  [
    "CodexAgent.run(options)",
    { signal: controller },
    "signal must be an AbortSignal (got a value of type AbortController)",
  ],
  ["CodexAgent.open(options)", { auth: {} }, "needs exactly one of auth.apiKey or auth.chatgpt (got none)"],
  [
    "CodexAgent.open(options)",
    { auth: { apikey: "k" } },
    'no option "auth.apikey": the nearest is "auth.apiKey"',
  ],
  ["CodexAgent.open(options)", { auth: { apiKey: "" } }, "auth.apiKey must be a non-empty string"],
  [
    "CodexAgent.open(options)",
    { auth: "sk-secret" },
    "auth must be an object with apiKey or chatgpt (got a string)",
  ],
  ["CodexAgent.open(options)", { spawn: "each" }, 'spawn must be "shared" or "per-run" (got "each")'],
  [
    "CodexAgent.open(options)",
    { clock: {} },
    "clock must be an object with now() and after() (got an object)",
  ],
  [
    "section(options)",
    { visibility: "half" },
    'visibility must be "full" or "summary" or a function (got "half")',
  ],
  [
    "section(options)",
    { body: Promise.resolve("x") },
    "body must be a string or a function (got a value of type Promise)",
  ],
  [
    "Prompt.render(options)",
    { visibility: { a: "half" } },
    'visibility.a must be "full" or "summary" (got "half")',
  ],
  [
    "createSession(options)",
    { slices: [1] },
    "slices[0] must be a slice created with slice() or log() (got 1)",
  ],
  ["createSession(options)", { slices: {} }, "slices must be an array (got an object)"],
  ["provide(options)", { scope: "turn" }, 'scope must be "run" or "call" or "transient" (got "turn")'],
  [
    "new CodexClient(options)",
    { sandbox: "workspace_write" },
    'sandbox must be "read-only" or "workspace-write"',
  ],
  ["new CodexClient(options)", { approvalPolicy: "ask" }, '(got "ask")'],
  [
    "new CodexClient(options)",
    { maxInFlight: Infinity },
    "maxInFlight must be an integer from 1 to 128 (got Infinity)",
  ],
  ["new CodexClient(options)", { reconnect: true }, "reconnect must be false or an object (got true)"],
  ["new CodexClient(options)", { reconnect: { atempts: 3 } }, 'the nearest is "reconnect.attempts"'],
  ["CodexClient.startThread(options)", { sandbox: "none" }, "sandbox must be"],
  ["CodexClient.startThread(options)", { tools: "x" }, "tools must be an array (got a string)"],
  [
    "CodexClient.startThread(call)",
    { timeoutMs: "5s" },
    'timeoutMs must be ≥ 0 and ≤ 2147483647 milliseconds (got "5s")',
  ],
  [
    "CodexClient.exec(options)",
    { tty: { cols: 0, rows: 1 } },
    "tty.cols must be an integer from 1 to 65535 (got 0)",
  ],
  ["CodexClient.exec(options)", { env: { A: 1 } }, "env.A must be a string or null (got 1)"],
  [
    "CodexClient.exec(options)",
    { outputBytesCap: -1 },
    "outputBytesCap must be an integer ≥ 0 or Infinity (got -1)",
  ],
  ["Thread.send(options)", { mode: "wait" }, 'mode must be "steer" or "queue" or "interrupt" (got "wait")'],
  ["Thread.run(options)", { silenceMs: Number.NaN }, "silenceMs must be ≥ 0"],
  ["Thread.run(options)", { repair: -1 }, "repair must be an integer ≥ 0 (got -1)"],
  [
    "Thread.run(options)",
    { sandboxPolicy: "read-only" },
    "sandboxPolicy must be an object or null (got a string)",
  ],
  ["Thread.revert(target)", { numTurns: 0 }, "numTurns must be an integer ≥ 1 (got 0)"],
  ["Thread.revert(target)", { numTurns: 1, beforeTurnId: "t" }, "(got beforeTurnId and numTurns)"],
  ["listen(options)", { auth: { token: "secret" } }, 'listen() has no option "auth.token"'],
  [
    "listen(options)",
    { auth: { capabilityToken: {} } },
    "auth.capabilityToken.token or auth.capabilityToken.file",
  ],
  ["listen(options)", { maxConnections: 0 }, "maxConnections must be an integer ≥ 1 or Infinity (got 0)"],
  [
    "new Endpoint(options)",
    { handlers: { "thread/start": "no" } },
    "handlers.thread/start must be a function",
  ],
  ["Workspace.create(options)", { mounts: [{ form: "/x" }] }, 'the nearest is "mounts[0].from"'],
  [
    "Workspace.create(options)",
    { maxBytes: "1MB" },
    'maxBytes must be an integer ≥ 0 or Infinity (got "1MB")',
  ],
  [
    "fakeAppServer(options)",
    { faults: [{ on: "x", nht: 1, fault: "crash" }] },
    'the nearest is "faults[0].nth"',
  ],
  ["reply(options)", { usage: { inputTokens: -1 } }, "usage.inputTokens must be an integer ≥ 0 (got -1)"],
  [
    "tool(options)",
    { effects: "none" },
    'effects must be "readonly" or "transactional" or "external" (got "none")',
  ],
];

verifies(
  "options.values",
  "the message names the option, its expected value and the actual value",
  async () => {
    await using world = await openWorld();
    const before = world.sent();
    for (const [id, options, told] of CASES) {
      const row = world.rows[id];
      if (!row) throw new Error(`unknown call ${id}`);
      const error = await failure(row, { ...row.valid, ...options });
      expect({ id, code: error.code, message: error.message }).toEqual({
        id,
        code: "invalid_argument",
        message: expect.stringContaining(told),
      });
    }
    expect(world.sent()).toBe(before);
  },
  FAKE,
);

verifies(
  "options.values",
  "rendering a prompt rejects a section whose function returns a promise or an unknown word",
  () => {
    const rendered = (options: object) => () =>
      definePrompt({
        id: "p",
        sections: [section({ key: "a", title: "A", summary: "s", ...options })],
      }).render({});
    const refused: readonly [options: object, told: string][] = [
      [{ body: () => Promise.reject(new Error("late")) }, "body"],
      [{ body: () => undefined }, "body"],
      [{ summary: async () => "s", visibility: "summary" }, "summary"],
      [{ visibility: () => "half" }, "visibility"],
      [{ enabled: async () => true }, "enabled"],
    ];
    for (const [options, told] of refused) {
      expect(rendered(options)).toThrow(
        expect.objectContaining({
          code: "invalid_argument",
          message: expect.stringContaining(`the result of ${told} of section "a" must be`),
        }),
      );
    }
    expect(rendered({ body: () => "b", visibility: () => "full", enabled: () => true })).not.toThrow();
  },
);

verifies("options.values", "no message quotes a value that may be a secret", async () => {
  await using world = await openWorld();
  const secret = "sk-proj-0123456789abcdef";
  const messages: (string | undefined)[] = [];
  for (const [id, row] of Object.entries(world.rows)) {
    for (const name of ["auth", "token", "env", "refreshTokens", "config", "connect", "transport"]) {
      if (!ownNames(id).includes(name)) continue;
      if (/^(?:fake|real)Target/.test(id)) continue;
      // A secret is most likely to be misplaced as a string that is passed instead of an object or a function.
      if (name === "token" || (name === "config" && id === "realAppServer(options)")) continue;
      messages.push((await failure(row, { ...row.valid, [name]: secret })).message);
    }
  }
  await using endpoint = new Endpoint({ handlers: {} });
  const nested = { capabilityToken: secret } as never;
  const listening = { call: () => listen(endpoint, "ws://127.0.0.1:0", { auth: nested }), valid: {} };
  messages.push((await failure(listening, undefined)).message);
  expect(messages.length).toBeGreaterThan(6);
  expect(messages.filter((message) => message?.includes(secret))).toEqual([]);
});
