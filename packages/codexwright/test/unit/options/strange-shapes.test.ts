import { runInNewContext } from "node:vm";
import { CodexClient, jsonSchema, type Thread } from "codexwright/client";
import { fakeAppServer, reply } from "@codexwright/testing";
import { expect, test } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { failure, openWorld, type Row } from "./calls.ts";

const FAKE = { against: "fake", timeoutMs: 120_000 } as const;
const LONG = "x".repeat(100_000);
const MODULE: string = "data:text/javascript,export const timeoutMs = 60000";
const SECRET = "sk-proj-0123456789abcdef";

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

const trap = (): never => {
  throw new TypeError(SECRET);
};

/** Values that are not options or cannot be read. */
const STRANGE: Readonly<Record<string, unknown>> = {
  "a revoked proxy": revoked({}),
  "a revoked proxy of an array": revoked([]),
  "a proxy that throws for its keys": new Proxy({}, { ownKeys: trap }),
  "a proxy that throws for its values": new Proxy({ x: 1 }, { get: trap }),
  "a getter that throws": Object.defineProperty({}, "x", { get: trap, enumerable: true }),
  "a long tag": { [Symbol.toStringTag]: LONG },
  "a tag that throws": Object.defineProperty({}, Symbol.toStringTag, { get: trap }),
  "a long name": { [LONG]: 1 },
  "a long symbol": Symbol(LONG),
  "a long integer": 10n ** 5_000n,
  "a long text": LONG,
  "a boxed string": new String(SECRET),
  "an error": new Error(SECRET),
  "own names without a prototype": Object.assign(Object.create(null), { x: 1 }),
  frozen: Object.freeze({ x: 1 }),
  "an own __proto__": JSON.parse('{"__proto__":{}}'),
};

verifies(
  ["options.everywhere", "options.values"],
  "rejects options of a strange shape with invalid_argument and a short message in every call, and sends nothing",
  async () => {
    await using world = await openWorld();
    const before = world.sent();
    const wrong: string[] = [];
    for (const [id, row] of Object.entries(world.rows)) {
      for (const [name, options] of Object.entries(STRANGE)) {
        const { code, message = "" } = await failure(row, options);
        if (code !== "invalid_argument" || message.length > 500 || message.includes(SECRET)) {
          wrong.push(`${id} ${name}: ${String(code)} ${message.slice(0, 100)} (${message.length})`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(world.sent()).toBe(before);
  },
  FAKE,
);

/** Invalid values inside options: long names, unreadable values, and signals without removeEventListener. */
const INSIDE: readonly (readonly [id: string, options: object])[] = [
  ["CodexClient.exec(options)", { env: { [LONG]: 5 } }],
  ["CodexClient.exec(options)", { env: revoked({}) }],
  ["CodexClient.exec(options)", { tty: revoked({}) }],
  ["CodexClient.exec(options)", { tty: { [Symbol.toStringTag]: LONG } }],
  ["CodexClient.exec(options)", { outputBytesCap: 10n ** 5_000n }],
  ["CodexClient.startThread(options)", { mcpServers: { [LONG]: 5 } }],
  ["CodexClient.startThread(options)", { tools: revoked([]) }],
  ["new Endpoint(options)", { handlers: { [LONG]: 5 } }],
  ["tool(options)", { name: 10n }],
  ["tool(options)", { name: LONG }],
  ["tool(options)", { name: Symbol(LONG) }],
  ["section(options)", { key: 10n }],
  ["section(options)", { key: `${LONG} ` }],
  ["fakeAppServer(options)", { model: [10n] }],
  ["new Connection(options)", { transport: {} }],
  ["Thread.run(options)", { signal: { aborted: false, addEventListener() {} } }],
  [
    "Thread.run(options)",
    {
      signal: {
        get aborted() {
          return trap();
        },
        addEventListener() {},
      },
    },
  ],
  ["Thread.run(options)", { output: null }],
  ["Thread.run(options)", { output: "" }],
  ["Thread.run(options)", { output: Number.NaN }],
  ["Thread.turn(options)", { output: false }],
];

verifies(
  "options.values",
  "rejects a strangely shaped value inside options with invalid_argument and a short message, and sends nothing",
  async () => {
    await using world = await openWorld();
    const before = world.sent();
    for (const [id, options] of INSIDE) {
      const row: Row = world.rows[id] ?? trap();
      const { code, message = "" } = await failure(row, { ...row.valid, ...options });
      expect({ id, code, message }).toMatchObject({ id, code: "invalid_argument" });
      expect(message).not.toContain(SECRET);
      expect(message.length).toBeLessThan(500);
    }
    expect(world.sent()).toBe(before);
  },
  FAKE,
);

async function withThread(use: (thread: Thread, codex: CodexClient) => Promise<void>): Promise<void> {
  await using fake = fakeAppServer({ model: () => reply("{}") });
  await using codex = await CodexClient.connect({ transport: fake.transport });
  await use(await codex.startThread(), codex);
}

/** A signal of an older polyfill: it has no `throwIfAborted` and is not an instance of the runtime's class. */
class OldSignal {
  aborted = false;
  readonly #listeners = new Set<() => void>();

  addEventListener(_: string, listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: string, listener: () => void): void {
    this.#listeners.delete(listener);
  }

  get waiting(): number {
    return this.#listeners.size;
  }
}

test("accepts valid options from any kind of object", async () => {
  await withThread(async (thread, codex) => {
    const old = new OldSignal();
    class Settings {
      get timeoutMs(): number {
        return 60_000;
      }
    }
    const good: object[] = [
      { timeoutMs: undefined, misspelt: undefined, output: undefined, repair: undefined },
      Object.freeze({ timeoutMs: 60_000 }),
      Object.assign(Object.create(null), { timeoutMs: 60_000 }),
      new Settings(),
      new Proxy({ timeoutMs: 60_000 }, {}),
      { [Symbol("note")]: 1 },
      { signal: old },
      runInNewContext("({ timeoutMs: 60000 })"),
      (await import(MODULE)) as object,
      { output: jsonSchema({ type: "object", properties: {}, additionalProperties: false }) },
    ];
    for (const options of good) {
      expect(await thread.run("x", options)).toMatchObject({ agentMessage: "{}" });
    }
    expect(old.waiting).toBe(0);
    expect(await codex.request("model/list", {}, { signal: old as never })).toBeDefined();
  });
});
