import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { fakeAppServer, gate, hang, reply, type ModelScript } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { RawClient } from "./raw.ts";

const FAKE: VerifiesOptions = { against: "fake" };
const SIGNAL = new AbortController().signal;
const never = (): Promise<never> => new Promise<never>(() => {});

verifies(
  "testing.fake.words",
  "interrupts a turn while a function of the script has not answered yet",
  async () => {
    await using fake = fakeAppServer({ model: never });
    await using codex = await CodexClient.connect({ transport: fake.transport });
    const thread = await codex.startThread();
    const turn = thread.turn("go");
    await fake.request(0);
    const ended = rejection(turn.completed);
    await turn.interrupt();
    expect(await ended).toMatchObject({ code: "turn_interrupted" });
  },
  FAKE,
);

for (const [what, second] of [
  ["a function that does not answer", never],
  ["hang()", hang()],
] as const) {
  verifies(
    "testing.fake.words",
    `a compaction waits for ${what} until it is interrupted`,
    async () => {
      const model: ModelScript = [reply("one"), second];
      await using fake = fakeAppServer({ model });
      await using client = await RawClient.connect(await fake.transport(SIGNAL));
      const { result } = await client.request(1, "thread/start", {});
      const threadId = result?.thread.id;
      const first = client.notification("turn/completed");
      await client.request(2, "turn/start", { threadId, input: [{ type: "text", text: "go" }] });
      await first;
      const compacted = client.notification("turn/completed");
      await client.request(3, "thread/compact/start", { threadId });
      await fake.request(1);
      expect((await client.request(4, "turn/interrupt", { threadId, turnId: "" })).error).toBe(undefined);
      expect((await compacted).params).toMatchObject({ turn: { status: "interrupted" } });
    },
    FAKE,
  );
}

verifies(
  "testing.fake.words",
  "a compaction waits until its gate is opened",
  async () => {
    const held = gate();
    await using fake = fakeAppServer({ model: [reply("one"), [held, reply("the sum")]] });
    await using codex = await CodexClient.connect({ transport: fake.transport });
    const thread = await codex.startThread();
    await thread.run("go");
    const compaction = thread.compact();
    await held.reached;
    held.open();
    await compaction;
    expect(fake.unexpected).toEqual([]);
  },
  FAKE,
);
