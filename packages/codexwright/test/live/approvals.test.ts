import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { ApprovalDecision, ApprovalRequest, CodexClientOptions } from "codexwright";
import { applyPatch, exec, reply, toolCall, type ModelScript } from "@codexwright/testing";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, world } from "@codexwright/test-support/world";

const TOUCH = exec("touch a.txt", { justification: "needs a file" });
const PATCH = applyPatch("*** Add File: x.txt\n+hello");
const DONE = reply("done");

/** A client whose server asks before it writes files, with the approval requests that the server has sent. */
async function asking(
  script: ModelScript,
  answer: (request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>,
  options: { readonly config?: string; readonly client?: Partial<CodexClientOptions> } = {},
) {
  const asked: ApprovalRequest[] = [];
  const onApproval = (request: ApprovalRequest): ApprovalDecision | Promise<ApprovalDecision> => {
    asked.push(request);
    return answer(request);
  };
  const live = await world(script, {
    approvalPolicy: "on-request",
    sandbox: "read-only",
    ...options,
    client: { onApproval, ...options.client },
  });
  const file = (name: string): string => path.join(live.server.workspace, name);
  const outputs = (): Readonly<Record<string, unknown>> => live.model.requests.at(-1)?.toolOutputs ?? {};
  return { ...live, asked, file, outputs };
}

/** Text in which most characters have a meaning in a shell or in the server's quoting. */
const NASTY = fc.string({
  unit: fc.constantFrom(...Array.from("ab '\"\\$`\n\t#~*?[]{}()!^&|;<>=-+,\u00A0é😀")),
  minLength: 1,
  maxLength: 12,
});

verifies(
  "requests.script",
  "a command approval has exactly the model's script, however the server quotes it",
  async () => {
    const scripts = fc.sample(NASTY, { seed: 23, numRuns: 100 }).map((text) => `x${text}`);
    const steps = scripts.map((script, n) => exec(script, { callId: `call-${n}`, justification: "to see" }));
    await using live = await asking([steps, DONE], () => "decline");
    await (await live.codex.startThread()).run("go");
    const asked = new Map(live.asked.map((request) => [request.itemId, request]));
    expect(scripts.map((_, n) => asked.get(`call-${n}`))).toMatchObject(
      scripts.map((script) => ({ kind: "command", script })),
    );
  },
  PINNED,
);

verifies(
  "requests.command",
  "an accepted command runs, and the request describes it",
  async () => {
    await using live = await asking([TOUCH, DONE], () => "accept");
    const thread = await live.codex.startThread();
    const { items } = await thread.run("go");
    expect(live.asked).toMatchObject([
      {
        kind: "command",
        commandKind: "command",
        threadId: thread.id,
        itemId: "call_0_0",
        reason: "needs a file",
        script: "touch a.txt",
        cwd: live.server.workspace,
        proposedExecpolicyAmendment: ["touch", "a.txt"],
        available: [
          "accept",
          { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch", "a.txt"] } },
          "cancel",
        ],
      },
    ]);
    expect(items.find(({ type }) => type === "commandExecution")).toMatchObject({ status: "completed" });
  },
  PINNED,
);

verifies(
  "requests.command",
  "a declined command does not run and the turn continues, even though decline was not offered",
  async () => {
    await using live = await asking([TOUCH, DONE], () => "decline");
    const { items, agentMessage } = await (await live.codex.startThread()).run("go");
    expect(agentMessage).toBe("done");
    expect(items.find(({ type }) => type === "commandExecution")).toMatchObject({ status: "declined" });
    expect(existsSync(live.file("a.txt"))).toBe(false);
  },
  PINNED,
);

verifies(
  "requests.command",
  "a cancelled command does not run and the turn is interrupted",
  async () => {
    await using live = await asking([TOUCH], () => "cancel");
    const thread = await live.codex.startThread();
    expect(await rejection(thread.run("go"))).toMatchObject({ code: "turn_interrupted" });
    expect(existsSync(live.file("a.txt"))).toBe(false);
  },
  PINNED,
);

verifies(
  "requests.command",
  "after an acceptance for the session, the server does not ask again for the same command",
  async () => {
    await using live = await asking([TOUCH, TOUCH, DONE, TOUCH, DONE], () => "acceptForSession");
    const thread = await live.codex.startThread();
    await thread.run("go");
    await thread.run("again");
    expect(live.asked).toHaveLength(1);
  },
  PINNED,
);

verifies(
  "requests.command",
  "an execpolicy amendment allows every command with the same prefix and is saved",
  async () => {
    const other = exec("touch b.txt", { justification: "another" });
    await using live = await asking([TOUCH, other, DONE], () => ({
      acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch"] },
    }));
    await (await live.codex.startThread()).run("go");
    expect(live.asked).toHaveLength(1);
    const rules = readFileSync(path.join(live.server.codexHome, "rules", "default.rules"), "utf8");
    expect(rules).toContain('["touch"]');
  },
  PINNED,
);

verifies(
  "requests.command",
  "the server asks with writeStdin before input reaches a command outside the sandbox",
  async () => {
    const cat = exec("cat", { justification: "talks", args: { tty: true, yield_time_ms: 300 } });
    const script: ModelScript = [
      cat,
      ({ toolOutputs }) => {
        const session = /session ID (\d+)/.exec(JSON.stringify(toolOutputs))?.[1];
        return toolCall("write_stdin", { session_id: Number(session), chars: "hello\n", yield_time_ms: 300 });
      },
      DONE,
    ];
    await using live = await asking(script, () => "accept");
    await (await live.codex.startThread()).run("go");
    expect(live.asked).toMatchObject([
      { kind: "command", commandKind: "command" },
      { kind: "command", commandKind: "writeStdin", itemId: "call_0_0", available: ["accept", "cancel"] },
    ]);
    expect(live.outputs()["call_1_0"]).toContain("hello");
  },
  PINNED,
);

verifies(
  "requests.file-change",
  "an accepted patch is applied, and the request has its changes",
  async () => {
    await using live = await asking([PATCH, DONE], () => "accept");
    await (await live.codex.startThread()).run("go");
    expect(live.asked).toMatchObject([
      {
        kind: "fileChange",
        itemId: "call_0_0",
        changes: [{ path: live.file("x.txt"), kind: { type: "add" }, diff: "hello\n" }],
      },
    ]);
    expect(readFileSync(live.file("x.txt"), "utf8")).toBe("hello\n");
  },
  PINNED,
);

verifies(
  "requests.file-change",
  "a declined patch is not applied and the turn continues",
  async () => {
    await using live = await asking([PATCH, DONE], () => "decline");
    const { items, agentMessage } = await (await live.codex.startThread()).run("go");
    expect(agentMessage).toBe("done");
    expect(items.find(({ type }) => type === "fileChange")).toMatchObject({ status: "declined" });
    expect(existsSync(live.file("x.txt"))).toBe(false);
  },
  PINNED,
);

verifies(
  "requests.nonsense",
  "if a handler throws, the request is declined with a warning, and the turn continues",
  async () => {
    const cause = new Error("lost");
    await using live = await asking([TOUCH, DONE], () => Promise.reject(cause));
    const warnings: unknown[] = [];
    live.codex.on("warning", (warning) => warnings.push(warning));
    expect((await (await live.codex.startThread()).run("go")).agentMessage).toBe("done");
    expect(warnings).toMatchObject([{ code: "handler_failed", cause }]);
    expect(existsSync(live.file("a.txt"))).toBe(false);
  },
  PINNED,
);

verifies(
  "requests.resolved",
  "interrupting the turn aborts the signal of an open approval, and its late answer is ignored",
  async () => {
    const open = deferred<ApprovalRequest>();
    const late = deferred<"accept">();
    await using live = await asking([TOUCH, DONE], (request) => {
      open.resolve(request);
      return late.promise;
    });
    const thread = await live.codex.startThread();
    const turn = thread.turn("go");
    const outcome = rejection(turn.completed);
    const { signal } = await open.promise;
    const aborted = new Promise((resolve) => {
      signal.addEventListener("abort", resolve);
    });
    await turn.interrupt();
    expect(await outcome).toMatchObject({ code: "turn_interrupted" });
    await aborted;
    late.resolve("accept");
    expect((await thread.run("next")).agentMessage).toBe("done");
    expect(existsSync(live.file("a.txt"))).toBe(false);
  },
  PINNED,
);

verifies(
  "requests.resolved",
  "an open approval that a resume replays is the same request and is answered once",
  async () => {
    const open = deferred();
    const decision = deferred<"decline">();
    await using live = await asking([TOUCH, DONE], () => {
      open.resolve();
      return decision.promise;
    });
    const thread = await live.codex.startThread();
    const result = thread.run("go");
    await open.promise;
    const { thread: resumed } = await live.codex.request("thread/resume", { threadId: thread.id });
    expect(resumed.status).toEqual({ type: "active", activeFlags: ["waitingOnApproval"] });
    // The replay follows the answer to the resume, and requests of one thread are served in order.
    await live.codex.request("thread/read", { threadId: thread.id });
    decision.resolve("decline");
    expect((await result).agentMessage).toBe("done");
    expect(live.asked).toHaveLength(1);
  },
  PINNED,
);

verifies(
  "requests.fail",
  '"fail" ends the turn with the approval that it needs, and the thread can continue',
  async () => {
    await using live = await asking([TOUCH, DONE], () => "accept", { client: { onApproval: "fail" } });
    const thread = await live.codex.startThread();
    expect(await rejection(thread.run("go"))).toMatchObject({
      code: "approval_required",
      request: { kind: "command", reason: "needs a file" },
    });
    expect(existsSync(live.file("a.txt"))).toBe(false);
    expect((await thread.run("next")).agentMessage).toBe("done");
  },
  PINNED,
);

verifies(
  ["requests.command", "client.default-answers"],
  "declines according to the policy without a handler",
  async () => {
    await using live = await world([TOUCH, PATCH, DONE], {
      approvalPolicy: "on-request",
      sandbox: "read-only",
    });
    const { items } = await (await live.codex.startThread()).run("go");
    expect(items).toMatchObject([
      { type: "userMessage" },
      { type: "commandExecution", status: "declined" },
      { type: "fileChange", status: "declined" },
      { type: "agentMessage" },
    ]);
  },
  PINNED,
);
