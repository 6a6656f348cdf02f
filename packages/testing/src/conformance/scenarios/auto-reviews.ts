import { exec, reply, type ModelItem } from "../../model-steps.ts";
import { expectMatch } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { collect, ofType, scenario } from "../steps.ts";
import { asking, outputOf } from "./asking.ts";

const TOUCH = exec("touch a.txt", { justification: "needs a file" });
const DONE = reply("done");
/** 0.120 does not have automatic reviews. The versions between 0.120 and 0.145 were not measured. */
const NEEDS = { since: "0.145.0" } as const;

export const AUTO_REVIEWS: readonly Scenario[] = [
  reviewed("allow", "approved", "runs a command that the automatic reviewer allows, and asks no client"),
  reviewed("deny", "denied", "rejects to the model a command that the automatic reviewer denies"),
];

function reviewed(outcome: "allow" | "deny", status: string, statement: string): Scenario {
  const verdict: ModelItem = reply(JSON.stringify({ outcome, rationale: "as scripted" }));
  return scenario(
    `approval.auto-${outcome}`,
    statement,
    asking([TOUCH, verdict, DONE], "decline", async ({ world, codex, thread, asked }) => {
      const reviews = collect(codex, "item/autoApprovalReview/completed");
      await codex.request("thread/settings/update", {
        threadId: thread.id,
        approvalsReviewer: "auto_review",
      });
      const { items, agentMessage } = await thread.run("go");
      expectMatch(asked, [], "the requests to the client");
      expectMatch(reviews, [{ params: { targetItemId: "call_0_0", review: { status } } }], "the reviews");
      const ran = outcome === "allow";
      expectMatch(
        ofType(items, "commandExecution"),
        [{ status: ran ? "completed" : "declined" }],
        "the item",
      );
      expectMatch(
        outputOf(world, "call_0_0"),
        ran ? /exited with code 0/ : /unacceptable risk/,
        "the output that the model received",
      );
      expectMatch(agentMessage, "done", "the answer");
    }),
    NEEDS,
  );
}
