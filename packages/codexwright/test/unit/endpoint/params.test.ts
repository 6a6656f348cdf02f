import { expect, test } from "vitest";
import type { ClientRequests } from "codexwright/protocol";
import { Endpoint, type Handlers } from "codexwright/server";
import { verifies } from "@codexwright/test-support/verifies";
import { EXPERIMENTAL, rawClient } from "./raw-client.ts";

/** A server that answers these methods with the params that it received. */
function echo(...methods: (keyof ClientRequests)[]): Endpoint {
  const handlers = Object.fromEntries(methods.map((method) => [method, (params: unknown) => params]));
  return new Endpoint({ handlers });
}

/** One message of 0.166.0 of each kind. test/live/endpoint-params.test.ts compares thousands with the binary. */
const REFUSED: readonly (readonly [method: keyof ClientRequests, params: unknown, message: string])[] = [
  ["thread/start", undefined, "missing field `params`"],
  ["thread/start", null, "missing field `params`"],
  ["thread/start", 5, "invalid type: integer `5`, expected struct ThreadStartParams"],
  ["thread/archive", {}, "missing field `threadId`"],
  ["thread/archive", [], "invalid length 0, expected struct ThreadArchiveParams with 1 element"],
  ["thread/archive", ["a", "b"], "invalid length 2, expected 1 element in sequence"],
  ["thread/archive", { threadId: null }, "invalid type: null, expected a string"],
  ["turn/start", { input: "x", threadId: 5 }, 'invalid type: string "x", expected a sequence'],
  ["turn/start", { threadId: 5, input: "x" }, "invalid type: integer `5`, expected a string"],
  ["turn/start", { threadId: "t", input: [{}] }, "missing field `type`"],
  [
    "turn/start",
    { threadId: "t", input: [{ type: "image" }] },
    "data did not match any variant of untagged enum ImageReference",
  ],
  [
    "turn/start",
    { threadId: "t", input: [], runtimeWorkspaceRoots: ["here"] },
    "AbsolutePathBuf deserialized without a base path",
  ],
  ["turn/start", { threadId: "t", input: [], effort: "" }, "reasoning_effort must not be empty"],
  ["thread/loaded/list", { limit: -1 }, "invalid value: integer `-1`, expected u32"],
  ["thread/loaded/list", { limit: 1.5 }, "invalid type: floating point `1.5`, expected u32"],
  [
    "thread/start",
    { sandbox: "workspaceWrite" },
    "unknown variant `workspaceWrite`, expected one of `read-only`, `workspace-write`, `danger-full-access`",
  ],
  ["thread/start", { approvalPolicy: "granular" }, "invalid type: unit variant, expected struct variant"],
  ["thread/start", { approvalPolicy: {} }, "invalid value: map, expected map with a single key"],
  ["thread/start", { historyMode: 'a"b' }, 'unknown variant `a"b`, expected `legacy` or `paginated`'],
  ["account/logout", 5, "invalid type: integer `5`, expected unit"],
  ["userVerification/cancel", { requestId: "r", more: 1 }, "unknown field `more`, expected `requestId`"],
  [
    "thread/start",
    { dynamicTools: [{ type: "function" }, { name: "a" }] },
    "dynamic tools must use either canonical or legacy format consistently",
  ],
];

verifies("endpoint.params", "rejects unreadable params with the messages of the real server", async () => {
  await using server = echo(...REFUSED.map(([method]) => method));
  const client = await rawClient(server, EXPERIMENTAL);
  for (const [method, params, message] of REFUSED) {
    const { error } = await client.ask(method, params);
    expect(error, `${method} ${JSON.stringify(params)}`).toEqual({
      code: -32600,
      message: `Invalid request: ${message}`,
    });
  }
});

verifies("endpoint.params", "passes unknown, null and absent fields to the handler unchanged", async () => {
  await using server = echo("thread/start");
  const client = await rawClient(server, EXPERIMENTAL);
  const params = {
    model: null,
    new: { field: true },
    dynamicTools: [{ name: "a", description: "", inputSchema: 1 }],
  };
  expect((await client.ask("thread/start", params)).result).toEqual(params);
});

verifies(
  "endpoint.params",
  "allows requests without params for methods that need none, and passes {} to the handler",
  async () => {
    await using server = echo("account/logout", "account/rateLimits/read", "remoteControl/enable");
    const client = await rawClient(server, EXPERIMENTAL);
    for (const method of ["account/logout", "account/rateLimits/read", "remoteControl/enable"]) {
      expect((await client.ask(method)).result).toEqual({});
      expect((await client.ask(method, null)).result).toEqual({});
    }
  },
);

verifies(
  "endpoint.params",
  "converts params that are written as a list to named params for the handler",
  async () => {
    await using server = echo("thread/name/set", "account/login/start");
    const client = await rawClient(server, EXPERIMENTAL);
    expect((await client.ask("thread/name/set", ["t", "title"])).result).toEqual({
      threadId: "t",
      name: "title",
    });
    expect((await client.ask("account/login/start", ["apiKey", "k"])).result).toEqual({
      type: "apiKey",
      apiKey: "k",
    });
  },
);

verifies("endpoint.params", "rejects unknown methods with the list of known ones", async () => {
  await using server = echo("turn/start", "thread/start", "thread/list");
  const client = await rawClient(server);
  for (const method of ["nope", "constructor", "__proto__", "initialize/"]) {
    expect((await client.ask(method, {})).error).toEqual({
      code: -32600,
      message: `Invalid request: unknown variant \`${method}\`, expected one of \`initialize\`, \`thread/start\`, \`thread/list\`, \`turn/start\``,
    });
  }
});

verifies("endpoint.params", "does not check params if validate is false", async () => {
  const handlers = { "review/start": (params: unknown) => params } as unknown as Handlers;
  await using server = new Endpoint({ handlers, version: "0.98.0", validate: false });
  const client = await rawClient(server);
  expect((await client.ask("review/start", { delivery: "detached" })).result).toEqual({
    delivery: "detached",
  });
});

test("does not treat inherited object keys as fields", async () => {
  await using server = echo("thread/archive");
  const client = await rawClient(server);
  client.write('{"id":"a","method":"thread/archive","params":{"__proto__":{"threadId":"t"}}}');
  expect((await client.answer("a")).error?.message).toBe("Invalid request: missing field `threadId`");
});
