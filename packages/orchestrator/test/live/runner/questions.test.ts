import { describe, expect } from "vitest";
import { exec, reply, toolCall } from "@codexwright/testing";
import type { Answered, Outcome } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { runWorld } from "../../support/run-world.ts";

/** Codex offers its tool for questions in the default mode only with this feature. */
const ASKS = { config: "[features]\ndefault_mode_request_user_input = true\n" };

const question = toolCall("request_user_input", {
  questions: [
    {
      id: "db",
      header: "Database",
      question: "Which database?",
      options: [
        { label: "SQLite", description: "A file." },
        { label: "PostgreSQL", description: "A server." },
      ],
    },
  ],
});

const escalated = (command: string) =>
  exec(command, { args: { sandbox_permissions: "require_escalated" }, justification: "needs the network" });

function questionOf(outcome: Outcome): Answered["question"] {
  if (outcome.kind !== "question") throw new Error(`the outcome is ${JSON.stringify(outcome)}`);
  return outcome.question;
}

describe("questions of an agent", () => {
  verifies(
    [
      "fleet.runner.question-block",
      "fleet.runner.question-answer",
      "symphony.17.5.user-input",
      "symphony.17.5.signals",
      "spec001.answer",
      "spec001.user-input",
    ],
    "block the issue, and the answer is the first input of the next run on the same thread",
    async () => {
      await using world = await runWorld([question, reply("thanks")], ASKS);
      const first = await world.run();
      const asked = questionOf(first.outcome);
      expect(asked).toMatchObject({ kind: "input", method: "item/tool/requestUserInput" });
      expect(asked.text).toContain("Which database?");
      expect(world.model.requests.length).toBe(1);
      const answered = { question: asked, answer: { text: "Use SQLite." } };
      const second = await world.run({ answered, claim: { attempt: 1, retryKind: "continuation" } });
      expect(second.totals.threadId).toBe(first.totals.threadId);
      const input = JSON.stringify(world.model.requests[1]?.body);
      expect(input).toContain("Use SQLite.");
      expect(input).toContain("Which database?");
    },
    PINNED,
  );

  verifies(
    ["fleet.runner.question-permit", "symphony.17.5.approvals", "symphony.17.5.signals", "spec001.approvals"],
    "a decision of a person holds for the same command once, and for no other one",
    async () => {
      await using world = await runWorld(
        [
          escalated("touch ../granted"),
          escalated("touch ../granted"),
          escalated("touch ../granted"),
          escalated("touch ../other"),
          reply("never"),
        ],
        { approvalPolicy: "on-request" },
      );
      const codex = { approvalPolicy: "on-request" };
      const first = await world.run({ codex });
      const asked = questionOf(first.outcome);
      expect(asked).toMatchObject({ kind: "approval" });
      expect(asked.text).toContain("touch ../granted");
      const answered = { question: asked, answer: { json: { decision: "accept" } } };
      const second = await world.run({ codex, answered, claim: { attempt: 1 } });
      // The same command is asked for twice: once it is permitted, then it is a question again.
      expect(questionOf(second.outcome).text).toContain("touch ../granted");
      expect(await world.workspaces()).toEqual(expect.arrayContaining(["granted"]));
      const third = await world.run({ codex, answered, claim: { attempt: 2 } });
      expect(questionOf(third.outcome).text).toContain("touch ../other");
    },
    PINNED,
  );

  verifies(
    ["fleet.runner.question-decline", "symphony.17.5.user-input", "spec001.user-input"],
    "are declined with agent.on_question: decline, and the run continues",
    async () => {
      await using world = await runWorld([question, reply("on my own")], ASKS);
      const run = await world.run({ agent: { onQuestion: "decline" } });
      expect(run.outcome.kind).toBe("completed");
      expect(JSON.stringify(world.model.requests[1]?.body)).toContain("non-interactive");
    },
    PINNED,
  );

  verifies(
    [
      "fleet.runner.question-fail",
      "symphony.17.5.user-input",
      "symphony.17.5.approvals",
      "spec001.user-input",
      "spec001.approval-fails",
    ],
    "fail the run with agent.on_question: fail",
    async () => {
      await using world = await runWorld([question, escalated("touch ../x")], {
        ...ASKS,
        approvalPolicy: "on-request",
      });
      const options = { agent: { onQuestion: "fail" }, codex: { approvalPolicy: "on-request" } } as const;
      const first = await world.run(options);
      expect(first.outcome).toMatchObject({ kind: "failed", code: "turn_input_required" });
      const second = await world.run(options);
      expect(second.outcome).toMatchObject({ kind: "failed", code: "approval_required" });
    },
    PINNED,
  );
});
