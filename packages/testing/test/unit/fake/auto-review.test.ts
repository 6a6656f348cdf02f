import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import type { ServerNotifications } from "codexwright/protocol";
import {
  applyPatch,
  exec,
  fail,
  fakeAppServer,
  mcpCall,
  reply,
  toolCall,
  type FakeAppServer,
  type ModelItem,
} from "@codexwright/testing";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";

const FAKE: VerifiesOptions = { against: "fake" };
const ALLOW = reply(JSON.stringify({ outcome: "allow" }));
const DENY = reply(
  JSON.stringify({ outcome: "deny", risk_level: "high", user_authorization: "low", rationale: "it deletes" }),
);
const PATCH = applyPatch("*** Begin Patch\n*** Add File: a.txt\n+hi\n*** End Patch");
const ACTIONS: Readonly<Record<string, ModelItem>> = {
  command: exec("rm -r x", { justification: "needs it" }),
  applyPatch: PATCH,
  mcpToolCall: mcpCall("small", "echo", { text: "hi" }),
  requestPermissions: toolCall("request_permissions", {
    reason: "why",
    permissions: { network: { enabled: true } },
  }),
};

type Review = ServerNotifications["item/autoApprovalReview/completed"];

interface Outcome {
  readonly asked: string[];
  readonly reviews: Review[];
  readonly warnings: string[];
  readonly agentMessage: string;
}

/** Runs one turn on a thread with this reviewer. Returns the messages and requests that clients received. */
async function turnOn(
  fake: FakeAppServer,
  reviewer: string,
  approvalPolicy = "on-request",
): Promise<Outcome> {
  const asked: string[] = [];
  const reviews: Review[] = [];
  const warnings: string[] = [];
  await using codex = await CodexClient.connect({
    transport: fake.transport,
    onApproval: ({ kind }) => {
      asked.push(kind);
      return "decline";
    },
    onPermissions: () => {
      asked.push("permissions");
      return { permissions: {} };
    },
  });
  codex.onNotification("item/autoApprovalReview/completed", (review) => reviews.push(review));
  codex.onNotification("guardianWarning", ({ message }) => warnings.push(message));
  const completed = new Promise<string>((resolve) => {
    codex.onNotification("item/completed", ({ item }) => {
      if (item.type === "agentMessage") resolve(item.text);
    });
  });
  const { thread, approvalsReviewer } = await codex.request("thread/start", {
    approvalsReviewer: reviewer as "user",
    approvalPolicy: approvalPolicy as "on-request",
    sandbox: "read-only",
  });
  expect(approvalsReviewer).toBe(reviewer === "user" ? "user" : "auto_review");
  await codex.request("turn/start", { threadId: thread.id, input: [{ type: "text", text: "go" }] });
  return { agentMessage: await completed, asked, reviews, warnings };
}

function faking(...script: readonly ModelItem[]): FakeAppServer {
  return fakeAppServer({ model: script, mcpServers: { small: { tools: [{ name: "echo", result: "hi" }] } } });
}

for (const [type, step] of Object.entries(ACTIONS)) {
  verifies(
    "testing.fake.auto-review",
    `${type}: with automatic review, the model decides and no client is asked; otherwise the client is asked`,
    async () => {
      await using allowed = faking(step, ALLOW, reply("done"));
      const yes = await turnOn(allowed, "auto_review");
      expect(yes.asked).toEqual([]);
      expect(yes.reviews).toMatchObject([
        { action: { type }, decisionSource: "agent", review: { status: "approved", riskLevel: "low" } },
      ]);
      expect(allowed.requests[1]?.lastUserText).toContain("Planned action JSON");

      await using denied = faking(step, DENY, reply("done"));
      const no = await turnOn(denied, "guardian_subagent");
      expect(no.asked).toEqual([]);
      expect(no.reviews).toMatchObject([
        { action: { type }, review: { status: "denied", rationale: "it deletes" } },
      ]);
      expect(no.warnings).toEqual([
        "Automatic approval review denied (risk: high, authorization: low): it deletes",
      ]);
      const told = JSON.stringify(denied.requests[2]?.toolOutputs);
      expect(told).toContain(type === "requestPermissions" ? "null" : "rejected due to unacceptable risk");
      expect(existsSync(path.join(denied.cwd, "a.txt"))).toBe(false);

      await using user = faking(step, reply("done"));
      const own = await turnOn(user, "user");
      expect(own.asked).toHaveLength(1);
      expect(own.reviews).toEqual([]);
    },
    FAKE,
  );
}

verifies(
  "testing.fake.auto-review",
  "calls a reviewer three times if its answers are unreadable, then declines; records that the script had no answer",
  async () => {
    for (const [answer, reason] of [
      [reply("no verdict"), "guardian assessment was not valid JSON"],
      [reply('{"outcome":"perhaps"}'), "missing field `outcome`"],
      [reply("[]"), "guardian assessment was not valid JSON"],
      [fail(500), "We’re currently experiencing high demand, which may cause temporary errors."],
    ] as const) {
      await using fake = faking(exec("x", { justification: "y" }), answer, answer, answer, reply("done"));
      const { reviews, asked, agentMessage } = await turnOn(fake, "auto_review");
      expect({ asked, agentMessage }).toEqual({ asked: [], agentMessage: "done" });
      expect(reviews).toMatchObject([
        { review: { status: "denied", rationale: `Automatic approval review failed: ${reason}` } },
      ]);
      expect(fake.unexpected).toEqual([]);
    }
  },
  FAKE,
);

verifies(
  "testing.fake.auto-review",
  "with the policy `untrusted`, the fake still asks the client, as the real server does",
  async () => {
    await using fake = faking(exec("x"), reply("done"));
    const { asked, reviews } = await turnOn(fake, "auto_review", "untrusted");
    expect(asked).toEqual(["command"]);
    expect(reviews).toEqual([]);
  },
  FAKE,
);
