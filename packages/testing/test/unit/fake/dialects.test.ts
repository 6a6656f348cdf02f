import { expect } from "vitest";
import { CodexClient, type CodexClientOptions } from "codexwright";
import { applyPatch, exec, fakeAppServer, gate, reply, type FakeAppServer } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";

const FAKE: VerifiesOptions = { against: "fake" };

async function connect(fake: FakeAppServer, options: Partial<CodexClientOptions> = {}) {
  const codex = await CodexClient.connect({ ...options, transport: fake.transport } as CodexClientOptions);
  const events: [string, Readonly<Record<string, unknown>>][] = [];
  for (const method of [
    "turn/started",
    "item/started",
    "item/completed",
    "turn/completed",
    "thread/status/changed",
    "thread/tokenUsage/updated",
  ] as const) {
    codex.onNotification(method, (params) => events.push([method, params as Record<string, unknown>]));
  }
  return { codex, events };
}

verifies(
  "testing.fake.dialects",
  "as 0.98, numbers turns, sends no status, and shows a command only after it is allowed",
  async () => {
    await using fake = fakeAppServer({ dialect: "0.98", model: [exec("touch a"), reply("done")] });
    const { codex, events } = await connect(fake, {
      approvalPolicy: "untrusted",
      onApproval: () => {
        events.push(["asked", {}]);
        return "accept";
      },
    });
    expect(codex.server).toMatchObject({ version: "0.98.0", codexHome: undefined });
    expect(codex.supports("turn/steer")).toBe(false);
    const { turn, items, usage } = await (await codex.startThread()).run("go");
    expect(turn).toEqual({ id: "0", items: [], status: "completed", error: null });
    expect(items.at(-1)).toEqual({ type: "agentMessage", id: "msg_1_0", text: "done" });
    expect(usage?.totalTokens).toBe(220);
    const told = events.map(([method]) => method);
    expect(told).not.toContain("thread/status/changed");
    const shown = events.findIndex(
      ([method, { item }]) =>
        method === "item/started" && (item as { type?: string }).type === "commandExecution",
    );
    expect(told.indexOf("asked")).toBeLessThan(shown);
    await codex.disconnect();
  },
  FAKE,
);

verifies(
  "testing.fake.dialects",
  "as 0.98, a declined patch ends twice, a second turn/start creates a phantom turn, and the history has other ids",
  async () => {
    const held = gate();
    await using fake = fakeAppServer({
      dialect: "0.98",
      model: [
        applyPatch("*** Add File: a.txt\n+a"),
        reply("first", { deltas: ["fir", held, "st"] }),
        reply("both"),
      ],
    });
    const { codex, events } = await connect(fake, { sandbox: "read-only", onApproval: () => "decline" });
    const thread = await codex.startThread();
    const turn = thread.turn("go");
    await held.reached;
    const second = await codex.request("turn/start", {
      threadId: thread.id,
      input: [{ type: "text", text: "more" }],
    });
    expect(second.turn.id).toBe("1");
    held.open();
    expect((await turn.completed).agentMessage).toBe("both");
    const ended = events.filter(
      ([, { item }]) => (item as { type?: string } | undefined)?.type === "fileChange",
    );
    expect(ended.map(([, { item }]) => (item as { status: string }).status)).toEqual([
      "inProgress",
      "declined",
      "failed",
    ]);
    const [read] = (await thread.read(true)).turns;
    expect(read?.id).toBe("turn-1");
    expect(read?.items[0]?.id).toBe("item-1");
    await codex.disconnect();
  },
  FAKE,
);

verifies(
  ["testing.fake.dialects", "turn.run"],
  "as of November 2025, a review is one codeReview item, and the end of a turn includes its usage",
  async () => {
    await using fake = fakeAppServer({
      dialect: "2025-11",
      model: [
        reply("hello", { usage: { inputTokens: 7, outputTokens: 2 } }),
        reply("Looks solid"),
        reply("Again"),
      ],
    });
    const { codex, events } = await connect(fake);
    const thread = await codex.startThread({ sandbox: "workspaceWrite", approvalPolicy: "unlessTrusted" });
    const { usage } = await thread.run("hi");
    expect(usage).toMatchObject({ inputTokens: 7, outputTokens: 2, totalTokens: 9 });
    expect(events.map(([method]) => method)).not.toContain("thread/tokenUsage/updated");
    const target = { type: "custom", instructions: "Look" } as const;
    const review = await codex.runReview({ threadId: thread.id, target });
    expect(review).toMatchObject({ reviewText: "Looks solid", reviewThreadId: thread.id });
    expect(review.items.map(({ type }) => type as string)).toEqual(["codeReview", "userMessage"]);
    const appended = { threadId: thread.id, target, appendToOriginalThread: true };
    const again = await codex.runReview(appended);
    expect(again.items.map(({ type }) => type as string)).toContain("agentMessage");
    await codex.disconnect();
  },
  FAKE,
);

verifies(
  "testing.fake.dialects",
  "as of November 2025, a sandbox policy has a mode, and later methods are unknown",
  async () => {
    await using fake = fakeAppServer({
      dialect: "2025-11",
      model: [applyPatch("*** Add File: a.txt\n+a"), reply("x")],
    });
    const { codex } = await connect(fake, { sandbox: "read-only", approvalPolicy: "never" });
    const thread = await codex.startThread();
    const ended = new Promise((resolve) => codex.onNotification("turn/completed", resolve));
    const policy = { mode: "workspaceWrite", networkAccess: true };
    await codex.request("turn/start", {
      threadId: thread.id,
      input: [{ type: "text", text: "go" }],
      sandboxPolicy: policy as never,
    });
    await ended;
    // The sandbox allowed writing, so the patch was applied.
    expect(fake.requests[1]?.toolOutputs["call_0_0"]).toContain("A a.txt");
    expect(await rejection(codex.request("thread/fork", { threadId: thread.id }))).toMatchObject({
      code: "rpc",
      message: expect.stringContaining("unknown variant `thread/fork`"),
    });
    await codex.disconnect();
  },
  FAKE,
);
