import { expect } from "vitest";
import { z } from "zod";
import { jsonSchema, ok, tool, type Tool } from "codexwright";
import { Redactor } from "../../../src/redact/redactor.ts";
import { configFlags } from "../../../src/transports/config-flags.ts";
import { rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile, openAnswers, settle } from "./hostile.ts";

const ANY = jsonSchema({ type: "object" });

/** Returns the answers of a thread with these tools to calls with these names and JSON arguments. */
async function called(tools: readonly Tool[], ...calls: [name: string, args: string][]): Promise<unknown[]> {
  await using server = await hostile();
  await server.codex.startThread({ tools: [...tools] });
  for (const [id, [name, args]] of calls.entries())
    server.say(
      `{"method":"item/tool/call","id":${id},"params":{"threadId":"T","turnId":"U","callId":"c","tool":${JSON.stringify(name)},"arguments":${args}}}`,
    );
  await until(() => server.replies().length === calls.length);
  return server
    .replies()
    .toSorted((a, b) => Number(a["id"]) - Number(b["id"]))
    .map(({ result }) => result);
}

const failed = (text: unknown): unknown => ({
  success: false,
  contentItems: [{ type: "inputText", text }],
});

verifies("security.s12", "runs only tools that were offered, whatever name the model calls", async () => {
  const ran: unknown[] = [];
  const run = (input: unknown): string => String(ran.push(input));
  const offered = tool({ name: "known", description: "", input: ANY, run });
  const names = ["toString", "__proto__", "constructor", "hasOwnProperty", "Known", "known ", "a.known", ""];
  const answers = await called([offered], ...names.map((name): [string, string] => [name, "{}"]), [
    "known",
    "{}",
  ]);
  for (const answer of answers.slice(0, -1)) {
    expect(answer).toEqual(failed(expect.stringContaining("There is no tool named ") as unknown));
  }
  expect(answers.at(-1)).toMatchObject({ success: true });
  expect(ran).toHaveLength(1);
});

verifies("security.s13", "invalid arguments never reach the function", async () => {
  const got: unknown[] = [];
  const run = (input: unknown): string => String(got.push(input));
  const raw = { type: "object", properties: { path: { type: "string", maxLength: 5 } }, required: ["path"] };
  const tools = [
    tool({ name: "raw", description: "", input: jsonSchema({ ...raw, additionalProperties: false }), run }),
    tool({ name: "zod", description: "", input: z.strictObject({ path: z.string().max(5) }), run }),
  ];
  const bad = [
    "null",
    '"a"',
    "[]",
    "{}",
    '{"path":1}',
    '{"path":["a"]}',
    '{"path":"abcdef"}',
    '{"path":"a","x":1}',
    '{"__proto__":{"path":"a"}}',
    '{"constructor":{"path":"a"}}',
    '{"path":"a","__proto__":{"x":1}}',
  ];
  for (const name of ["raw", "zod"]) {
    const answers = await called(tools, ...bad.map((args): [string, string] => [name, args]), [
      name,
      '{"path":"a"}',
    ]);
    for (const answer of answers.slice(0, -1))
      expect(answer).toEqual(
        failed(expect.stringContaining(`The arguments of ${name} are invalid`) as unknown),
      );
    expect(answers.at(-1)).toMatchObject({ success: true });
  }
  expect(got).toEqual([{ path: "a" }, { path: "a" }]);
});

verifies("security.s14", "whatever a tool does, answers its call and all other calls", async () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error("trap");
      },
      ownKeys: () => {
        throw new Error("keys");
      },
    },
  );
  const hostiles: Record<string, () => unknown> = {
    throws: () => {
      throw new Error("no luck");
    },
    throwsNothing: () => {
      // oxlint-disable-next-line typescript/only-throw-error -- a tool may throw a value that is not an Error
      throw undefined;
    },
    throwsTrap: () => {
      // oxlint-disable-next-line typescript/only-throw-error -- a tool may throw a value that is not an Error
      throw trap;
    },
    hangs: () => new Promise(() => {}),
    loop: () => loop,
    big: () => 10n,
    trap: () => trap,
    json: () => ({
      toJSON: () => {
        throw new Error("toJSON");
      },
    }),
    items: () => [{ type: "inputText", text: 5 }],
    // oxlint-disable-next-line unicorn/no-thenable -- a tool may throw a value that is not an Error
    thenable: () => ({ then: (_: unknown, no: (error: unknown) => void) => no(new Error("late")) }),
  };
  const tools = Object.entries(hostiles).map(([name, run]) =>
    tool({ name, description: "", input: ANY, timeoutMs: 20, run: run as () => string }),
  );
  await using server = await hostile();
  await server.codex.startThread({ tools });
  for (const [id, { name }] of tools.entries())
    server.say({
      method: "item/tool/call",
      id,
      params: { threadId: "T", turnId: "U", callId: "c", tool: name, arguments: {} },
    });
  await until(() => server.replies().length === tools.length);
  for (const { result } of server.replies()) expect(result).toMatchObject({ success: false });
});

verifies("security.s15", "rejects images and audio that are not data URLs of their kind", async () => {
  const urls = [
    "/etc/passwd",
    "file:///etc/passwd",
    "http://169.254.169.254/",
    "https://x/a.png",
    "data:text/html;base64,AA",
    "data:image/png,raw",
    "javascript:alert(1)",
    " data:image/png;base64,AA",
    "data:audio/wav;base64,AA",
  ];
  const image = (imageUrl: string, index: number): Tool[] => [
    tool({
      name: `item${index}`,
      description: "",
      input: ANY,
      run: () => [{ type: "inputImage", imageUrl }],
    }),
    tool({
      name: `ok${index}`,
      description: "",
      input: ANY,
      run: () => ok("", { images: [imageUrl] }),
    }),
  ];
  const tools = [...urls, "data:image/png;base64,AA"].flatMap(image);
  const answers = await called(tools, ...tools.map(({ name }): [string, string] => [name, "{}"]));
  for (const answer of answers.slice(0, -2)) expect(answer).toMatchObject({ success: false });
  for (const answer of answers.slice(-2)) expect(answer).toMatchObject({ success: true });
});

verifies("security.s16", "does not return an answer that does not match the output schema", async () => {
  const output = jsonSchema<{ a: string }>({
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  });
  const hostileAnswers = [
    "",
    "not JSON",
    "[]",
    "null",
    '{"a":1}',
    '{"__proto__":{"a":"x"}}',
    '{"a":"x","__proto__":{"b":1}}',
    "```js\nprocess.exit()\n```",
    `${"[".repeat(5e4)}${"]".repeat(5e4)}`,
    '{"constructor":{"a":"x"}}',
  ];
  for (const text of hostileAnswers) {
    await using server = await hostile();
    const thread = await server.codex.startThread();
    const run = rejection(thread.run("go", { output }));
    await settle();
    const item = { type: "agentMessage", id: "I", text, phase: "final_answer" };
    server.say({ method: "item/completed", params: { threadId: "T", turnId: "U", item } });
    server.say({
      method: "turn/completed",
      params: { threadId: "T", turn: { id: "U", items: [], status: "completed" } },
    });
    expect(await run).toMatchObject({ code: "output_invalid", raw: text });
  }
});

verifies("security.s4", "treats prototype names in messages, arguments and options as data", async () => {
  const pollution = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
  const got: unknown[] = [];
  const keeps = tool({
    name: "keeps",
    description: "",
    input: ANY,
    run: (input) => String(got.push(input)),
  });
  const answers = await called([keeps], ["keeps", pollution]);
  expect(answers).toMatchObject([{ success: true }]);
  expect(Object.keys(got[0] as object)).toEqual(["__proto__", "constructor"]);
  await using server = await hostile({
    onUserInput: () => JSON.parse('{"__proto__":"polluted"}') as Record<string, string>,
  });
  const thread = await server.codex.startThread();
  const params = `{"threadId":"T","turnId":"__proto__","itemId":"__proto__","delta":"x","item":{"id":"__proto__","type":"agentMessage","text":"","x":${pollution}},"questions":[{"id":"__proto__","question":"?"}],"thread":{"id":"T","__proto__":{"polluted":1}},"turn":{"id":"__proto__","items":[]}}`;
  for (const method of [
    "item/started",
    "item/agentMessage/delta",
    "item/completed",
    "turn/started",
    "thread/started",
    "__proto__",
  ])
    server.say(`{"method":"${method}","params":${params}}`);
  server.say(`{"method":"item/tool/requestUserInput","id":"__proto__","params":${params}}`);
  await until(() => server.replies().length > 0);
  expect(JSON.stringify(thread.state)).toContain('"__proto__"');
  expect(server.replies()).toMatchObject([{ id: "__proto__" }]);
  expect(configFlags(JSON.parse(pollution) as Record<string, unknown>)).toEqual([
    "-c",
    "__proto__.polluted=1",
    "-c",
    "constructor.prototype.polluted=1",
  ]);
  const redacted = new Redactor([], {}).json(JSON.parse(pollution), "peer") as object;
  expect(JSON.stringify(redacted)).toBe(pollution);
  expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

verifies("security.s20", "starts a thread in the sandbox that can write only to the workspace", async () => {
  const started = async (options: object, thread: object): Promise<unknown> => {
    await using server = await hostile(options, openAnswers);
    await server.codex.startThread(thread);
    return server.sent.find(({ method }) => method === "thread/start")?.["params"];
  };
  expect(await started({}, {})).toMatchObject({ sandbox: "workspace-write", approvalPolicy: "never" });
  expect(await started({ onApproval: () => "decline" }, {})).toMatchObject({ approvalPolicy: "on-request" });
  expect(await started({ sandbox: "danger-full-access" }, {})).toMatchObject({
    sandbox: "danger-full-access",
  });
});
