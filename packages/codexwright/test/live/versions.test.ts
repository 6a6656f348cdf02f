import { expect } from "vitest";
import { gate, reply } from "codexwright/testing";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { verifies } from "../../../../test/support/verifies.ts";
import { world } from "./world.ts";

/** Older servers, one for each way a second turn/start was answered. */
for (const version of ["0.98.0", "0.120.0", "0.145.0"]) {
  const options = { against: `codex ${version}`, timeoutMs: 180_000 } as const;

  verifies(
    ["turn.phantom", "turn.run"],
    `a second turn/start during a turn ends well on ${version}, and so does the turn after it`,
    async () => {
      const held = gate();
      await using live = await world(
        (request) =>
          request.index === 0
            ? reply("first", { deltas: ["fir", held, "st"] })
            : reply(`call ${request.index}`),
        { codexPath: await codexBinary(version) },
      );
      expect(live.codex.server.version).toBe(version);
      const thread = await live.codex.startThread({}, { timeoutMs: 60_000 });
      const turn = thread.turn("one");
      await held.reached;
      const second = await live.codex.request("turn/start", {
        threadId: thread.id,
        input: [{ type: "text", text: "two", text_elements: [] }],
      });
      expect(second.turn.id).not.toBe(turn.id);
      held.open();
      const result = await turn.completed;
      expect(result.source).toBe("server");
      expect(thread.state.activeTurnId).toBeUndefined();
      expect((await thread.run("three")).agentMessage).toMatch(/^call \d$/);
    },
    options,
  );

  verifies(
    "turn.send",
    `a running turn is steered on ${version}`,
    async () => {
      const held = gate();
      await using live = await world(
        (request) =>
          request.index === 0
            ? reply("first", { deltas: ["fir", held, "st"] })
            : reply(`call ${request.index}`),
        { codexPath: await codexBinary(version) },
      );
      const thread = await live.codex.startThread({}, { timeoutMs: 60_000 });
      const turn = thread.turn("one");
      await held.reached;
      const sent = await thread.send("two", { mode: "steer" });
      expect(sent).toMatchObject({ outcome: "steered" });
      expect(sent.turn).toBe(turn);
      held.open();
      await turn.completed;
      const inputs = JSON.stringify(live.model.requests.at(-1)?.input);
      expect(inputs).toContain("two");
    },
    options,
  );
}
