import fc from "fast-check";
import { expect } from "vitest";
import { CodexClient, CodexError } from "codexwright";
import type { Transport, TransportSink } from "codexwright/rpc";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile, settle, unhandled } from "./hostile.ts";

const SLOW = { timeoutMs: 120_000 };

/** Members that occur in some answer of the protocol. */
const FIELDS = [
  "thread",
  "turn",
  "turns",
  "items",
  "id",
  "data",
  "nextCursor",
  "userAgent",
  "codexHome",
  "path",
  "model",
  "status",
  "approvalPolicy",
  "sandbox",
  "dataBase64",
  "entries",
  "files",
  "exitCode",
  "stdout",
  "stderr",
  "loginId",
  "authUrl",
  "turnId",
  "reviewThreadId",
  "rateLimits",
  "rateLimitsByLimitId",
  "limitId",
  "requirements",
  "account",
  "type",
  "__proto__",
  "constructor",
  "toString",
  "then",
  "length",
  "sessionId",
  "authorizationUrl",
  "verificationUrl",
];
const leaf = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  -1,
  1e308,
  "",
  "T",
  "U",
  "0.166.0",
  "\u0000",
  "é",
  [],
  {},
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    leaf,
    fc.array(tie("json"), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...FIELDS), tie("json")), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));
/** Answers that are almost valid. */
const NEAR = [
  { thread: { id: "T", turns: [] } },
  { thread: { id: "T", turns: [{ id: "U", items: [], status: "interrupted" }] }, approvalPolicy: "never" },
  { turn: { id: "U", items: [], status: "inProgress" } },
  { data: [{ id: "a", name: "a" }], nextCursor: null },
  { data: [{ id: "a" }], nextCursor: "more" },
  { data: [], nextCursor: "more" },
  { exitCode: 0, stdout: "", stderr: "" },
  { dataBase64: "AAAA" },
  { dataBase64: "*" },
  { entries: [] },
  { files: [] },
  { type: "chatgpt", loginId: "l", authUrl: "u" },
  { authorizationUrl: "u" },
  { rateLimits: { limitId: "codex" }, rateLimitsByLimitId: {} },
  { turnId: "U" },
  { path: "/" },
  { status: "unsubscribed" },
];
/** An answer with one member replaced, at any depth. */
const mutated = fc.tuple(fc.constantFrom<unknown>(...NEAR), json, fc.nat()).map(([near, odd, place]) => {
  const copy = structuredClone(near);
  const spots: (() => void)[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      spots.push(() => Object.defineProperty(node, key, { value: odd, enumerable: true }));
      spots.push(() => Reflect.deleteProperty(node, key));
      visit(value);
    }
  };
  visit(copy);
  spots[place % spots.length]?.();
  return copy;
});
const answer = fc.oneof(json, mutated, fc.constantFrom<unknown>(...NEAR));

let threads = 0;
/** Every public method that sends a request. Those that wait for a notification are aborted immediately. */
const CALLS: Readonly<Record<string, (codex: CodexClient) => unknown>> = {
  startThread: (codex) => codex.startThread(),
  resumeThread: (codex) => codex.resumeThread("T"),
  forkThread: (codex) => codex.forkThread("T"),
  listThreads: (codex) => codex.listThreads(),
  threads: (codex) => drain(codex.threads()),
  readThread: (codex) => codex.readThread("T", true),
  archiveThread: (codex) => codex.archiveThread("T"),
  compactThread: (codex) => codex.compactThread("T"),
  startTurn: (codex) =>
    codex
      .startTurn({ threadId: `S${threads++}`, input: "x" })
      .then((turn) => void turn.completed.catch(() => {})),
  turn: (codex) => {
    const turn = codex.thread(`X${threads++}`).turn("go");
    turn.completed.catch(() => {});
    return turn.started;
  },
  output: (codex) => {
    const turn = codex.thread(`X${threads++}`).turn("go", { silenceMs: 0 });
    turn.completed.catch(() => {});
    return turn.started.then(() => turn.interrupt());
  },
  steerTurn: (codex) => codex.steerTurn({ threadId: "T", input: "x", expectedTurnId: "U" }),
  interruptTurn: (codex) => codex.interruptTurn("T", "U"),
  startReview: (codex) =>
    codex.startReview({ threadId: `R${threads++}`, target: { type: "uncommittedChanges" } }),
  detached: (codex) =>
    codex.startReview({
      threadId: `R${threads++}`,
      target: { type: "uncommittedChanges" },
      delivery: "detached",
    }),
  listModels: (codex) => codex.listModels(),
  models: (codex) => drain(codex.models()),
  exec: (codex) => codex.exec(["x"]).result,
  execCommand: (codex) => codex.execCommand({ command: ["x"] }),
  watch: async (codex) => {
    await using watch = codex.watch("/x");
    await watch.ready;
  },
  account: (codex) => codex.account(),
  logout: (codex) => codex.logout(),
  skills: (codex) => codex.skills(),
  search: (codex) => codex.search("q", { roots: ["/"] }),
  searchSession: async (codex) => (await codex.searchSession({ roots: ["/"] })).close(),
  apiKey: (codex) => codex.login.apiKey("key", { timeoutMs: 1 }),
  tokens: (codex) => codex.login.tokens({ accessToken: "a", chatgptAccountId: "b" }, { timeoutMs: 1 }),
  chatgpt: async (codex) => (await codex.login.chatgpt()).cancel(),
  deviceCode: async (codex) => (await codex.login.deviceCode()).cancel(),
  rateLimits: (codex) => codex.rateLimits.read({ refresh: true }),
  mcpLogin: async (codex) => (await codex.mcp.login("m")).cancel(),
  mcpServers: (codex) => drain(codex.mcp.servers()),
  mcpReload: (codex) => codex.mcp.reload(),
  configRead: (codex) => codex.config.read(),
  configRequirements: (codex) => codex.config.requirements(),
  configWrite: (codex) => codex.config.write("a", 1),
  configBatchWrite: (codex) => codex.config.batchWrite([{ keyPath: "a", value: 1 }]),
  readFile: (codex) => codex.fs.readFile("/x"),
  readText: (codex) => codex.fs.readText("/x"),
  writeFile: (codex) => codex.fs.writeFile("/x", "y"),
  createDirectory: (codex) => codex.fs.createDirectory("/x"),
  stat: (codex) => codex.fs.stat("/x"),
  readDirectory: (codex) => codex.fs.readDirectory("/x"),
  remove: (codex) => codex.fs.remove("/x"),
  copy: (codex) => codex.fs.copy("/x", "/y"),
  setName: (codex) => codex.thread("T").setName("n"),
  unarchive: (codex) => codex.thread("T").unarchive(),
  delete: (codex) => codex.thread("T").delete(),
  shellCommand: (codex) => codex.thread("T").shellCommand("x"),
  updateMetadata: (codex) => codex.thread("T").updateMetadata({}),
  realtime: (codex) => codex.thread(`V${threads++}`).realtime({ timeoutMs: 1 }),
  unsubscribe: (codex) => codex.thread(`W${threads++}`).unsubscribe(),
  fork: (codex) => codex.thread("T").fork(),
  revert: (codex) => codex.thread("T").revert({ numTurns: 1 }),
  send: (codex) =>
    codex
      .thread(`Y${threads++}`)
      .send("x", { mode: "steer" })
      .then(({ turn }) => void turn.completed.catch(() => {})),
  request: (codex) => codex.request("model/list", {}),
};

async function drain(entries: AsyncIterable<unknown>): Promise<void> {
  let count = 0;
  for await (const _ of entries) if (++count === 3) return;
}

verifies(
  "security.s1",
  "every call ends with a value or a typed error, whatever the answer",
  async () => {
    await using server = await hostile();
    const odd: string[] = [];
    const codes = new Set<string>();
    const lost = await unhandled(() =>
      fc.assert(
        fc.asyncProperty(answer, fc.boolean(), async (given, fails) => {
          const text = JSON.stringify(given);
          server.answer(() => (fails ? `"error":${text}` : `"result":${text}`));
          await Promise.all(
            Object.entries(CALLS).map(async ([name, call]) => {
              try {
                await call(server.codex);
              } catch (error) {
                if (error instanceof CodexError) codes.add(error.code);
                else odd.push(`${name} ${text.slice(0, 200)}: ${String(error)}`);
              }
            }),
          );
          expect(odd).toEqual([]);
        }),
        { seed: 19, numRuns: 150, endOnFailure: true },
      ),
    );
    expect(lost).toEqual([]);
    expect([...codes]).toContain("unexpected_answer");
  },
  SLOW,
);

/** Returns the outcome of `connect` if the server answers the handshake like this. */
async function connected(result: string): Promise<unknown> {
  let sink: TransportSink | undefined;
  const transport: Transport = {
    open: (given) => (sink = given),
    async send(line) {
      const { id, method } = JSON.parse(line) as { id?: number; method?: string };
      if (id === undefined) return;
      const rest = method === "initialize" ? `"result":${result}` : `"error":{"code":-1,"message":"no"}`;
      queueMicrotask(() => sink?.line(`{"id":${id},${rest}}`));
    },
    close: async () => sink?.closed({ message: "closed" }),
  };
  const codex = new CodexClient({ transport: () => transport });
  try {
    await codex.connect();
    const { userAgent, version, codexHome } = codex.server;
    expect([typeof userAgent, typeof version]).toEqual(["string", "string"]);
    expect(["string", "undefined"]).toContain(typeof codexHome);
    return "connected";
  } catch (error) {
    return error;
  } finally {
    await codex.disconnect();
  }
}

verifies(
  ["security.s1", "spec001.bad-shape"],
  "connect ends with a client or a typed error, whatever the answer to initialize",
  async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    for (const result of ["null", "[]", "1", '""', "true", deep]) {
      expect(await connected(result)).toMatchObject({ code: "unexpected_answer", method: "initialize" });
    }
    for (const result of [
      "{}",
      '{"userAgent":5}',
      '{"userAgent":{"toString":1}}',
      `{"userAgent":"x/1","codexHome":${deep}}`,
      '{"__proto__":{"userAgent":"x/9"}}',
    ]) {
      expect(await connected(result)).toBe("connected");
    }
    await fc.assert(
      fc.asyncProperty(json, async (given) => {
        const outcome = await connected(JSON.stringify(given));
        expect(outcome === "connected" || outcome instanceof CodexError).toBe(true);
      }),
      { seed: 19, numRuns: 200 },
    );
    await settle();
  },
  SLOW,
);

verifies("security.s1", "stops reading endless empty pages, but not pages with results", async () => {
  await using server = await hostile();
  let page = 0;
  server.answer(() => `"result":{"data":[],"nextCursor":"c${page++}"}`);
  await expect(server.codex.threads().next()).rejects.toMatchObject({ code: "unexpected_answer" });
  server.answer(() => `"result":{"data":[{"id":"m${page++}"}],"nextCursor":"same"}`);
  let models = 0;
  for await (const _ of server.codex.models()) if (++models === 500) break;
  expect(models).toBe(500);
});
