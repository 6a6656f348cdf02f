import { expect } from "vitest";
import { reply } from "@codexwright/testing";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { world } from "@codexwright/test-support/world";

for (const version of ["0.98.0", "0.120.0", "0.145.0", "0.166.0"]) {
  verifies(
    "thread.unloaded",
    `a handle survives archive and unarchive of its thread on ${version}`,
    async () => {
      await using live = await world(() => reply("Hello"), { codexPath: await codexBinary(version) });
      const thread = await live.codex.startThread({}, { timeoutMs: 60_000 });
      await thread.run("one");
      await thread.archive();
      expect(await rejection(thread.run("while archived"))).toMatchObject({ code: "thread_archived" });
      expect(await rejection(thread.compact())).toMatchObject({ code: "thread_archived" });
      await thread.unarchive();
      expect((await thread.run("two")).agentMessage).toBe("Hello");
      expect((await thread.read(true)).turns).toHaveLength(2);
    },
    { against: `codex ${version}`, timeoutMs: 120_000 },
  );
}

for (const version of ["0.120.0", "0.145.0", "0.166.0"]) {
  verifies(
    ["thread.unloaded", "thread.unsubscribe"],
    `a compaction, a review and a turn after an unsubscribe are heard to their ends on ${version}`,
    async () => {
      await using live = await world(() => reply("Hello"), { codexPath: await codexBinary(version) });
      const { codex } = live;
      const thread = await codex.startThread();
      await thread.run("one");
      await thread.unsubscribe();
      const ended = new Promise<void>((resolve) => {
        codex.onNotification("turn/completed", () => resolve());
      });
      await thread.compact();
      await ended;
      expect(thread.state.turns.at(-1)?.items.map(({ item }) => item.type)).toContain("contextCompaction");
      await thread.unsubscribe();
      const target = { type: "custom", instructions: "Look at it." } as const;
      const review = await codex.runReview({ threadId: thread.id, target });
      expect(review.turn.status).toBe("completed");
      await thread.unsubscribe();
      expect((await thread.run("two")).agentMessage).toBe("Hello");
    },
    { against: `codex ${version}`, timeoutMs: 120_000 },
  );
}
