import { expect } from "vitest";
import { hang, reply } from "@codexwright/testing";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { world } from "@codexwright/test-support/world";

for (const version of ["0.98.0", "0.120.0", "0.145.0", "0.155.0", "0.166.0"]) {
  for (const delivery of ["inline", "detached"] as const) {
    verifies(
      "review.interrupt",
      `aborting a review (${delivery}) stops the reviewer on ${version}, and its thread has no turn that runs forever`,
      async () => {
        const first = reply("Hello.");
        await using live = await world(({ index }) => (index === 1 ? hang() : first), {
          codexPath: await codexBinary(version),
        });
        const { codex } = live;
        const thread = await codex.startThread();
        await thread.run("Say hello.");
        const ends: { readonly threadId: string; readonly status: string }[] = [];
        codex.onNotification("turn/completed", ({ threadId, turn: { status } }) =>
          ends.push({ threadId, status }),
        );
        const stop = new AbortController();
        const target = { type: "custom", instructions: "Look at it." } as const;
        const { signal } = stop;
        const review = rejection(codex.runReview({ threadId: thread.id, target, delivery, signal }));
        await live.model.request(1);
        stop.abort();
        expect(await review).toMatchObject({ code: "aborted" });
        // A client that stopped waiting without interrupting the turn on the server would not have received the end.
        expect(ends).toMatchObject([{ status: "interrupted" }]);
        const reviewed = codex.thread(ends[0]?.threadId ?? "");
        expect(reviewed.id === thread.id).toBe(delivery === "inline");
        expect(reviewed.state.activeTurnId).toBeUndefined();
        expect(reviewed.state.turns.filter(({ status }) => status === "inProgress")).toEqual([]);
        expect((await thread.run("Go on.")).agentMessage).toBe("Hello.");
      },
      { against: `codex ${version}`, timeoutMs: 120_000 },
    );
  }
}
