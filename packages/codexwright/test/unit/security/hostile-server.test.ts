import { expect } from "vitest";
import { jsonSchema, tool } from "codexwright";
import { METHODS } from "codexwright/protocol";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile, settle, unhandled, type Answers } from "./hostile.ts";

/** Values that are sent in every place that expects another kind of value. */
const VALUES = [
  "null",
  "0",
  '""',
  '"x"',
  "[]",
  "{}",
  "true",
  "[null]",
  "[{}]",
  "1e999",
  '{"length":-1}',
  '{"then":1}',
  '{"toString":null,"valueOf":null}',
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
];
/** The values that also replace every single member. */
const NASTY = new Set([
  "null",
  '"x"',
  "[null]",
  '{"toString":null,"valueOf":null}',
  '{"__proto__":{"polluted":1}}',
]);
const MEMBERS = [
  "thread",
  "turn",
  "item",
  "itemId",
  "delta",
  "status",
  "error",
  "tokenUsage",
  "plan",
  "changes",
  "questions",
  "permissions",
  "command",
  "availableDecisions",
  "arguments",
  "tool",
  "requestId",
  "_meta",
];
/** Long enough for a busy machine. */
const SLOW = { timeoutMs: 60_000 };

verifies(
  "security.s1",
  "notifications and requests of any shape never make the client throw, and it keeps working",
  async () => {
    const box = [
      tool({ name: "t", description: "", input: jsonSchema({ type: "object" }), run: () => "ok" }),
    ];
    await using server = await hostile({
      onApproval: (request) => (JSON.stringify(request.raw) === "" ? "accept" : "decline"),
      onElicitation: () => ({ action: "decline" }),
      onPermissions: ({ permissions }) => ({ permissions }),
      onUserInput: () => ({}),
    });
    const lost = await unhandled(async () => {
      const thread = await server.codex.startThread({ tools: box });
      const turn = thread.turn("go");
      turn.completed.catch(() => {});
      await turn.started;
      let id = 1_000;
      const requests = new Set(Object.keys(METHODS.serverRequests));
      for (const method of [
        ...Object.keys(METHODS.serverNotifications),
        ...requests,
        "__proto__",
        "toString",
      ]) {
        for (const value of VALUES) {
          const say = (params: string): void => {
            const asks = requests.has(method) ? `"id":${id++},` : "";
            server.say(`{"method":${JSON.stringify(method)},${asks}"params":${params}}`);
          };
          say(value);
          for (const member of NASTY.has(value) ? MEMBERS : []) {
            say(`{"threadId":"T","turnId":"V","itemId":"I","tool":"t",${JSON.stringify(member)}:${value}}`);
            if (member === "item" || member === "turn" || member === "thread")
              for (const inner of ["id", "type", "items"])
                say(`{"threadId":"T","turnId":"V","${member}":{"id":"T","type":"plan","${inner}":${value}}}`);
          }
        }
        await settle();
      }
    });
    expect(lost).toEqual([]);
    await expect(server.codex.request("model/list", {})).rejects.toMatchObject({
      code: "rpc",
      message: "no",
    });
  },
  SLOW,
);

verifies(
  "security.s1",
  "answers of any shape never make the client throw or leave a call pending",
  async () => {
    await using server = await hostile();
    const { codex } = server;
    const calls: (() => Promise<unknown>)[] = [
      () => codex.startThread(),
      () => codex.resumeThread("T"),
      () => codex.forkThread("T"),
      () => codex.thread("T").read(),
      () => codex.account(),
      () => codex.exec(["x"]).result,
      () => codex.threads()[Symbol.asyncIterator]().next(),
      () => codex.models()[Symbol.asyncIterator]().next(),
      () => codex.fs.readFile("/x"),
      () => codex.login.chatgpt(),
      () => codex.mcp.login("x"),
      () => codex.request("config/read", {}),
    ];
    const forms = (value: string): string[] => [
      `"result":${value}`,
      `"error":${value}`,
      `"error":{"code":${value},"message":"m"}`,
      `"error":{"code":-1,"message":${value}}`,
      `"error":{"code":-1,"message":"m","data":${value}}`,
      `"result":{"thread":${value}}`,
      `"result":{"data":${value}}`,
      `"result":{"data":[${value}]}`,
    ];
    let ended = 0;
    const lost = await unhandled(async () => {
      for (const form of VALUES.flatMap(forms)) {
        const answers: Answers = () => form;
        server.answer(answers);
        // Logins that have started wait for a notification that never comes.
        await Promise.all(
          calls.map((call) =>
            call().then(
              () => ended++,
              () => ended++,
            ),
          ),
        );
      }
    });
    expect(lost).toEqual([]);
    expect(ended).toBe(calls.length * VALUES.length * forms("").length);
  },
  SLOW,
);

verifies(
  "security.s3",
  "processes a message nested 100,000 levels deep or skips it with a warning",
  async () => {
    const deep = `${'{"a":['.repeat(50_000)}1${"]}".repeat(50_000)}`;
    await using server = await hostile({ onApproval: () => "decline" });
    const thread = await server.codex.startThread();
    const heard: unknown[] = [];
    const events = [
      "item/completed",
      "thread/status/changed",
      "turn/plan/updated",
      "account/updated",
    ] as const;
    const requests = [
      "item/tool/call",
      "item/commandExecution/requestApproval",
      "item/tool/requestUserInput",
    ];
    for (const event of events) server.codex.onNotification(event, (params) => heard.push(params));
    const lost = await unhandled(async () => {
      server.say(deep);
      for (const method of events)
        server.say(`{"method":"${method}","params":{"threadId":"T","turnId":"U","item":${deep}}}`);
      for (const [id, method] of requests.entries())
        server.say(`{"method":"${method}","id":${id},"params":{"threadId":"T","arguments":${deep}}}`);
      server.answer(() => `"error":{"code":-1,"message":"no","data":${deep}}`);
      await expect(server.codex.request("thread/list", {})).rejects.toMatchObject({ code: "rpc" });
      await until(() => server.replies().length >= requests.length);
    });
    expect(lost).toEqual([]);
    expect(heard).toHaveLength(events.length);
    expect(thread.state.turns).toEqual([]);
    expect(new Set(server.replies().map(({ id }) => id))).toEqual(new Set(requests.keys()));
  },
  SLOW,
);
