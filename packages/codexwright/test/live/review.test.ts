import { expect } from "vitest";
import { reply } from "@codexwright/testing";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { verifies } from "@codexwright/test-support/verifies";
import { world } from "@codexwright/test-support/world";

for (const version of ["0.98.0", "0.120.0", "0.145.0", "0.155.0", "0.166.0"]) {
  verifies(
    "review",
    `a detached review runs on a thread of its own on ${version}`,
    async () => {
      const findings = {
        findings: [],
        overall_correctness: "patch is correct",
        overall_explanation: "Fine.",
      };
      await using live = await world(
        ({ index }) => reply(index === 0 ? "Hello." : JSON.stringify(findings)),
        { codexPath: await codexBinary(version) },
      );
      const { codex } = live;
      const thread = await codex.startThread();
      await thread.run("Say hello.");
      const target = { type: "custom", instructions: "Look at it." } as const;
      const review = await codex.runReview({ threadId: thread.id, target, delivery: "detached" });
      expect(review.reviewThreadId).not.toBe(thread.id);
      expect(review.turn.status).toBe("completed");
      expect(review.reviewText).toContain("Fine.");
      // The reviewed thread goes on without the review.
      expect((await thread.read(true)).turns).toHaveLength(1);
    },
    { against: `codex ${version}`, timeoutMs: 120_000 },
  );
}
