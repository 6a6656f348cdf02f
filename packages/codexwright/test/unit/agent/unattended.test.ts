import { AgentError, AnswerRequiredError } from "codexwright/agent";
import { exec, reply } from "@codexwright/testing";
import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { eventsOf, fakeWorld, plain } from "./run-world.ts";

const FAKE = { against: "fake" } as const;
verifies(
  "agent.run.fail",
  "with onApproval fail, the policy asks, the run rejects with the command, and reports no decision",
  async () => {
    await using world = await fakeWorld(
      { model: [exec("rm -r build", { justification: "cleans" }), reply("done")] },
      { agent: { sandbox: "read-only", onApproval: "fail" } },
    );
    const run = world.agent.run(plain);
    const error = (await rejection(run.result)) as AnswerRequiredError;
    expect(error).toBeInstanceOf(AnswerRequiredError);
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({
      code: "approval_required",
      phase: "response",
      retryable: false,
      promptId: "plain",
      cause: { code: "approval_required" },
      request: { kind: "command", method: "item/commandExecution/requestApproval" },
    });
    expect(error.request.params).toMatchObject({ reason: "cleans" });
    expect(error.message).not.toContain("rm -r");
    expect(eventsOf(run, "approval")).toEqual([]);
    expect(eventsOf(run, "prompt.executed")).toMatchObject([{ error: { code: "approval_required" } }]);
    expect(world.fake.requests).toHaveLength(1);
    const { threadId } = error.request;
    expect(await world.agent.run(plain, { threadId }).result).toMatchObject({ text: "done", threadId });
  },
  FAKE,
);
