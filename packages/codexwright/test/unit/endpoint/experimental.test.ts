import { expect } from "vitest";
import { METHODS } from "codexwright/protocol";
import { Endpoint } from "codexwright/server";
import { verifies } from "@codexwright/test-support/verifies";
import { EXPERIMENTAL, rawClient } from "./raw-client.ts";
import { EXPERIMENTAL_NOTIFICATIONS } from "../../../src/protocol/experimental.ts";

/** A server that has every method. */
function everything(version?: string): Endpoint {
  const handlers = Object.fromEntries(
    Object.keys(METHODS.clientRequests)
      .filter((method) => method !== "initialize")
      .map((method) => [method, () => ({ served: method })]),
  );
  return new Endpoint({
    handlers,
    ...(version !== undefined && { version, validate: false }),
  });
}

const GRANULAR = { granular: { sandbox_approval: true, rules: true, mcp_elicitations: true } };

/** Requests that need the opt-in, with the names that 0.166.0 uses. */
const GATED: readonly (readonly [method: string, params: object, reason: string])[] = [
  ["collaborationMode/list", {}, "collaborationMode/list"],
  ["thread/start", { dynamicTools: [] }, "thread/start.dynamicTools"],
  ["thread/start", { approvalPolicy: GRANULAR }, "askForApproval.granular"],
  ["thread/start", { experimentalRawEvents: true }, "thread/start.experimentalRawEvents"],
  // The error names the first one in declaration order, whatever the order in the request.
  ["thread/start", { dynamicTools: [], approvalPolicy: GRANULAR }, "askForApproval.granular"],
  ["thread/list", { projectId: null }, "thread/list.projectId"],
  ["turn/start", { threadId: "t", input: [], environments: [] }, "turn/start.environments"],
  [
    "account/login/start",
    { type: "chatgptAuthTokens", accessToken: "a", chatgptAccountId: "b" },
    "account/login/start.chatgptAuthTokens",
  ],
];

/** Similar requests that do not need the opt-in. */
const OPEN: readonly (readonly [method: string, params: object])[] = [
  ["thread/start", { experimentalRawEvents: false, dynamicTools: null, approvalPolicy: "never" }],
  ["thread/list", {}],
  ["account/login/start", { type: "apiKey", apiKey: "k" }],
];

verifies("endpoint.gates", "rejects experimental methods, fields and values without the opt-in", async () => {
  await using server = everything();
  const plain = await rawClient(server);
  const opted = await rawClient(server, EXPERIMENTAL);
  for (const [method, params, reason] of GATED) {
    expect((await plain.ask(method, params)).error).toEqual({
      code: -32600,
      message: `${reason} requires experimentalApi capability`,
    });
    expect((await opted.ask(method, params)).result).toEqual({ served: method });
  }
  for (const [method, params] of OPEN) {
    expect((await plain.ask(method, params)).result).toEqual({ served: method });
  }
});

verifies(
  "endpoint.gates",
  "on older versions, requires the opt-in for methods and fields that became stable later",
  async () => {
    await using old = everything("0.150.0");
    const client = await rawClient(old);
    expect((await client.ask("thread/turns/list", { threadId: "t" })).error?.message).toBe(
      "thread/turns/list requires experimentalApi capability",
    );
    expect((await client.ask("thread/resume", { threadId: "t", excludeTurns: true })).error?.message).toBe(
      "thread/resume.excludeTurns requires experimentalApi capability",
    );
  },
);

verifies("endpoint.gates", "sends experimental notifications only to clients that opted in", async () => {
  await using server = everything();
  const plain = await rawClient(server);
  const opted = await rawClient(server, EXPERIMENTAL);
  const methods = Object.keys(EXPERIMENTAL_NOTIFICATIONS).filter((method) => method !== "thread/reverted");
  for (const method of methods) server.broadcast(method as "project/changed", {} as never);
  server.broadcast("thread/reverted", {} as never);
  await plain.settled();
  await opted.settled();
  expect(plain.methods).toEqual(["thread/reverted"]);
  expect(opted.methods).toEqual([...methods, "thread/reverted"]);
});

verifies("endpoint.gates", "removes additional permissions from approvals without the opt-in", async () => {
  await using server = everything();
  const plain = await rawClient(server);
  const opted = await rawClient(server, EXPERIMENTAL);
  for (const client of [plain, opted]) client.connection.subscribe("t");
  const params = {
    threadId: "t",
    command: "ls",
    additionalPermissions: {},
    availableDecisions: ["accept"],
  };
  void server
    .thread("t")
    .request("item/commandExecution/requestApproval", params as never)
    .catch(() => {});
  const method = "item/commandExecution/requestApproval";
  const { additionalPermissions: _, ...shown } = params;
  expect((await plain.told(method)).params).toEqual(shown);
  expect((await opted.told(method)).params).toEqual(params);
});

verifies("endpoint.opt-out", "does not send notifications that a client opted out of by name", async () => {
  await using server = everything();
  const client = await rawClient(server, {
    capabilities: { optOutNotificationMethods: ["thread/started", "item/", "no/such"] },
  });
  const other = await rawClient(server);
  for (const each of [client, other]) each.connection.subscribe("t");
  server.broadcast("thread/started", {} as never);
  server.thread("t").notify("item/started", {} as never);
  client.connection.notify("thread/started", {} as never);
  await client.settled();
  await other.settled();
  expect(client.methods).toEqual(["item/started"]);
  expect(other.methods).toEqual(["thread/started", "item/started"]);
});
