import { expect } from "vitest";
import type { WireMessage } from "codexwright/rpc";
import type { LineClient } from "@codexwright/test-support/line-client";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { Hub } from "./hub.ts";

const CALL = "item/tool/call";
const REFRESH = "account/chatgptAuthTokens/refresh";
const APPROVAL = "item/commandExecution/requestApproval";
const TOOLS = { dynamicTools: [{ type: "function", name: "add", description: "adds", inputSchema: {} }] };
const DONE = { success: true, contentItems: [] };
const UNKNOWN = { success: false, contentItems: [{ type: "inputText", text: "unknown tool" }] };

/** Lets the app-server call the tool. */
const call = (hub: Hub, threadId = "t"): Promise<unknown> =>
  hub.upstream.thread(threadId).request(CALL, { threadId, tool: "add", arguments: {} } as never);

/** Answers the n-th server request of this method. */
async function answer(
  client: LineClient,
  method: string,
  body: Partial<WireMessage>,
  nth = 1,
): Promise<void> {
  const { id } = await client.told(method, nth);
  client.write({ id, ...body });
}

verifies(
  "cli.serve.owners",
  "calls a tool in the client that owns it, whichever other clients follow the thread",
  async () => {
    await using hub = await Hub.open();
    const owner = await hub.client();
    const follower = await hub.client();
    await owner.ask("thread/start", TOOLS);
    await follower.ask("thread/resume", { threadId: "t" });
    const done = call(hub);
    await answer(owner, CALL, { result: DONE });
    expect(await done).toEqual(DONE);
    const failed = call(hub);
    await answer(owner, CALL, { result: UNKNOWN }, 2);
    expect(await failed).toEqual(UNKNOWN);
    await follower.settled();
    expect(follower.methods).not.toContain(CALL);
  },
);

verifies("cli.serve.owners", "ends the call when the owner leaves, and rejects the next call", async () => {
  await using hub = await Hub.open();
  const owner = await hub.client();
  await owner.ask("thread/start", TOOLS);
  hub.upstream.thread("t").notify("turn/started", { threadId: "t", turn: { id: "u" } } as never);
  const lost = rejection(call(hub));
  await owner.told(CALL);
  await owner.hangUp();
  expect(await lost).toMatchObject({
    rpcCode: -32603,
    message: expect.stringContaining("is gone") as string,
  });
  const next = rejection(call(hub));
  expect(await next).toMatchObject({ message: expect.stringContaining("no connected client") as string });
});

verifies(
  "cli.serve.owners",
  "asks followers in turn if the owner is unknown, and remembers the one that has the tool",
  async () => {
    await using hub = await Hub.open();
    const [has, observes, cannot] = [await hub.client(), await hub.client(), await hub.client({})];
    for (const client of [has, observes, cannot]) await client.ask("thread/resume", { threadId: "t" });
    const first = call(hub);
    await answer(observes, CALL, { result: UNKNOWN });
    await answer(has, CALL, { result: DONE });
    expect(await first).toEqual(DONE);
    const second = call(hub);
    await answer(has, CALL, { result: DONE }, 2);
    expect(await second).toEqual(DONE);
    expect(observes.methods.filter((method) => method === CALL)).toHaveLength(1);
    expect(cannot.methods).not.toContain(CALL);

    await has.hangUp();
    const third = call(hub);
    await answer(observes, CALL, { result: UNKNOWN }, 2);
    expect(await third).toEqual(UNKNOWN);
  },
);

verifies("cli.serve.owners", "a sub-agent has the tools of its parent thread", async () => {
  await using hub = await Hub.open();
  const [owner, follower] = [await hub.client(), await hub.client()];
  await owner.ask("thread/start", TOOLS);
  await follower.ask("thread/resume", { threadId: "t" });
  const [upstream] = hub.upstream.thread("t").subscribers;
  const item = { type: "subAgentActivity", id: "i", agentThreadId: "child" };
  upstream?.notify("item/started", { threadId: "t", turnId: "u", item } as never);
  upstream?.subscribe("child");
  const done = call(hub, "child");
  await answer(owner, CALL, { result: DONE });
  expect(await done).toEqual(DONE);
  expect(follower.methods).not.toContain(CALL);
});

verifies(
  "cli.serve.owners",
  "asks the client that supplied the tokens to refresh them, then any client that can",
  async () => {
    await using hub = await Hub.open({ "account/login/start": () => ({ type: "chatgptAuthTokens" }) });
    const refresh = (): Promise<unknown> =>
      hub.upstream.request(REFRESH, { reason: "unauthorized" } as never);
    expect(await rejection(refresh())).toMatchObject({ rpcCode: -32603 });
    const [other, owner] = [await hub.client(), await hub.client()];
    const tokens = { type: "chatgptAuthTokens", accessToken: "a", chatgptAccountId: "b" };
    await owner.ask("account/login/start", tokens);
    const first = refresh();
    await answer(owner, REFRESH, { result: { accessToken: "new" } });
    expect(await first).toEqual({ accessToken: "new" });
    expect(other.methods).not.toContain(REFRESH);

    await owner.hangUp();
    const third = await hub.client();
    const second = refresh();
    await answer(other, REFRESH, { error: { code: -32603, message: "no handler for token refresh" } });
    await other.settled();
    await answer(third, REFRESH, { result: { accessToken: "newer" } });
    expect(await second).toEqual({ accessToken: "newer" });
  },
);

verifies("cli.serve.owners", "asks only clients that declared the capability for attestations", async () => {
  await using hub = await Hub.open();
  const attest = (): Promise<unknown> => hub.upstream.request("attestation/generate", {});
  const plain = await hub.client();
  expect(await rejection(attest())).toMatchObject({ rpcCode: -32603 });
  const able = await hub.client({ requestAttestation: true });
  const attested = attest();
  await answer(able, "attestation/generate", { result: { token: "t" } });
  expect(await attested).toEqual({ token: "t" });
  await plain.settled();
  expect(plain.methods).not.toContain("attestation/generate");
});

verifies(
  "cli.serve.owners",
  "a client without a handler does not answer an approval for another client",
  async () => {
    await using hub = await Hub.open();
    const [bare, human] = [await hub.client(), await hub.client()];
    await bare.ask("thread/start", {});
    await human.ask("thread/resume", { threadId: "t" });
    const decided = hub.upstream.thread("t").request(APPROVAL, { threadId: "t" } as never);
    await answer(bare, APPROVAL, { error: { code: -32601, message: "Method not found" } });
    await bare.settled();
    await answer(human, APPROVAL, { result: { decision: "accept" } });
    expect(await decided).toEqual({ decision: "accept" });
    const failed = rejection(hub.upstream.thread("t").request(APPROVAL, { threadId: "t" } as never));
    for (const client of [bare, human]) {
      await answer(client, APPROVAL, { error: { code: -32601, message: "Method not found" } }, 2);
    }
    expect(await failed).toMatchObject({ rpcCode: -32601 });
  },
);
