import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { wireScript, type WireStep } from "@codexwright/testing";
import { collectGarbage } from "@codexwright/test-support/gc";
import { verifies } from "@codexwright/test-support/verifies";
import { FAKE, note } from "../fake-turn.ts";

/** One turn with a message of a few kilobytes. */
function turnSteps(n: number): WireStep[] {
  const ids = { threadId: "t1", turnId: `u${n}` };
  const item = { type: "agentMessage", id: `m${n}`, text: `${n} `.repeat(1_000), phase: null };
  return [
    { on: "turn/start", result: { turn: { id: ids.turnId } } },
    note("turn/started", { threadId: "t1", turn: { id: ids.turnId } }),
    note("item/started", { ...ids, item: { ...item, text: "" } }),
    note("item/agentMessage/delta", { ...ids, itemId: item.id, delta: item.text }),
    note("item/completed", { ...ids, item }),
    note("turn/completed", { threadId: "t1", turn: { id: ids.turnId, status: "completed", items: [] } }),
  ];
}

/** The heap size after a garbage collection. */
async function heapInUse(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage().heapUsed;
}

verifies(
  "client.memory",
  "memory stays flat over 1,000 turns in a row",
  async () => {
    using fake = wireScript({ script: Array.from({ length: 1_000 }, (_, n) => turnSteps(n)).flat() });
    await using codex = await CodexClient.connect({ codexPath: fake.executable });
    const thread = codex.thread("t1");
    let after100 = 0;
    for (let n = 0; n < 1_000; n++) {
      const { agentMessage } = await thread.run("go");
      expect(agentMessage.startsWith(`${n} `)).toBe(true);
      if (n === 99) after100 = await heapInUse();
    }
    const after1000 = await heapInUse();
    expect(after1000 / after100).toBeLessThan(1.1);
  },
  { ...FAKE, timeoutMs: 60_000 },
);
