import { expect } from "vitest";
import { Endpoint, type HandlerContext, type Handlers } from "codexwright/server";
import { exec, realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { LineClient } from "@codexwright/test-support/line-client";
import { RawClient } from "../unit/endpoint/raw-client.ts";
import { PINNED } from "@codexwright/test-support/world";

const APPROVAL = "item/commandExecution/requestApproval";
const RESOLVED = "serverRequest/resolved";

/**
 * Our own minimal server. In each turn of a thread, it requests an approval and waits. The real server sends much more
 * in the meantime, so the test compares only the requests, their end, and the answers to resume.
 */
function endpoint(): Endpoint {
  const handlers = {
    "thread/start": (_: unknown, { subscribe }: HandlerContext) => {
      subscribe("t");
      return { thread: { id: "t" } };
    },
    "thread/resume": ({ threadId }: { threadId: string }, { subscribe }: HandlerContext) => {
      subscribe(threadId);
      return { thread: { id: threadId } };
    },
    "thread/unsubscribe": ({ threadId }: { threadId: string }, { connection }: HandlerContext) => ({
      status: connection.unsubscribe(threadId) ? "unsubscribed" : "notSubscribed",
    }),
    "turn/start": ({ threadId }: { threadId: string }, { afterAnswer }: HandlerContext) => {
      afterAnswer(() => void turn(threadId));
      return { turn: { id: "u" } };
    },
  };
  const turn = async (threadId: string): Promise<void> => {
    const channel = server.thread(threadId);
    await channel.request(APPROVAL, { threadId } as never);
    channel.notify("turn/completed", { threadId } as never);
  };
  const server = new Endpoint({ handlers: handlers as unknown as Handlers });
  return server;
}

/** The compared part of the wire: the requests and their end, with ids, and the answers to `thread/resume`. */
function seen(client: LineClient, resumes: readonly number[]): unknown[] {
  return client.messages.flatMap(({ id, method, params }): unknown[] => {
    if (method === APPROVAL) return [[method, id]];
    if (method === RESOLVED) return [[method, (params as { requestId: number }).requestId]];
    return typeof id === "number" && method === undefined && resumes.includes(id) ? ["resumed"] : [];
  });
}

/**
 * Two clients and an approval. The second client joins while the approval is open, disconnects, and returns to answer
 * it.
 */
async function scenario(connect: () => Promise<LineClient>): Promise<unknown[]> {
  const asker = await connect();
  await asker.hello();
  const started = await asker.ask("thread/start", { approvalPolicy: "untrusted", sandbox: "read-only" });
  const threadId = (started.result as { thread: { id: string } }).thread.id;
  await asker.ask("turn/start", { threadId, input: [{ type: "text", text: "go" }] });
  await asker.told(APPROVAL);

  const joiner = await connect();
  await joiner.hello();
  const resume = { threadId, excludeTurns: true };
  await joiner.ask("thread/resume", resume);
  await joiner.told(APPROVAL);
  await joiner.hangUp();

  const back = await connect();
  await back.hello();
  await back.ask("thread/resume", resume);
  const { id } = await back.told(APPROVAL);
  await asker.ask("thread/resume", resume);
  await asker.told(APPROVAL, 2);

  back.write({ id: 99, result: { decision: "accept" } });
  back.write({ id, result: { decision: "decline" } });
  await Promise.all([asker.told(RESOLVED), back.told(RESOLVED)]);
  asker.write({ id, result: { decision: "accept" } });
  await Promise.all([asker.told("turn/completed"), back.told("turn/completed")]);
  const left = await back.ask("thread/unsubscribe", { threadId });
  const again = await back.ask("thread/unsubscribe", { threadId });
  await Promise.all([asker.hangUp(), back.hangUp()]);
  return [seen(asker, [4]), seen(joiner, [2]), seen(back, [2]), left.result, again.result];
}

verifies(
  ["endpoint.requests", "endpoint.replay", "endpoint.subscriptions"],
  "clients that join, disconnect and return while an approval is open receive the same messages as from 0.166.0",
  async () => {
    await using model = await scriptedModel([exec("touch /nowhere/x"), reply("done")]);
    await using real = await realAppServer({ model, listen: "ws", approvalPolicy: "untrusted" });
    const { signal } = new AbortController();
    const theirs = await scenario(async () => {
      const transport = await real.clientOptions.transport(signal);
      return new LineClient(transport);
    });
    await using server = endpoint();
    const ours = await scenario(async () => new RawClient(server));
    expect(ours).toEqual(theirs);
    expect(theirs.slice(0, 3)).toEqual([
      [[APPROVAL, 0], "resumed", [APPROVAL, 0], [RESOLVED, 0]],
      ["resumed", [APPROVAL, 0]],
      ["resumed", [APPROVAL, 0], [RESOLVED, 0]],
    ]);
  },
  PINNED,
);
