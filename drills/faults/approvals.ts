import assert from "node:assert/strict";
import type { CodexClient } from "codexwright";
import { exec, reply, type ModelRequest } from "@codexwright/testing";
import { world } from "../../packages/test-support/src/world.ts";
import type { Drill } from "../lib/drill.ts";

/** Commands in one turn, turns of one thread, and threads in parallel. */
const [COMMANDS, TURNS, THREADS] = [20, 10, 4];

/**
 * Every command asks for approval and every second one is approved. Each approval must be requested once, and
 * its command must end according to the answer.
 */
export const approvals: Drill = {
  name: "approvals",
  fault: "thousands of approvals, four turns at once",
  async run(run) {
    const total = run.count({ small: 160, short: 2_000, long: 10_000 });
    const decisions = new Map<string, "accept" | "decline">();
    let asked = 0;
    await using live = await world(commands, {
      approvalPolicy: "on-request",
      sandbox: "read-only",
      client: {
        onApproval: ({ threadId, itemId }) => {
          const decision = asked++ % 2 === 0 ? "accept" : "decline";
          decisions.set(`${threadId} ${itemId}`, decision);
          return decision;
        },
      },
    });
    run.fault();
    let turns = total / COMMANDS;
    const outcomes = new Map<string, string>();
    const worker = async (codex: CodexClient): Promise<void> => {
      while (turns > 0) {
        const thread = await codex.startThread();
        for (let turn = 0; turn < TURNS && turns > 0; turn++) {
          turns--;
          const { items } = await thread.run(`turn ${turn}`);
          for (const item of items)
            if (item.type === "commandExecution") outcomes.set(`${thread.id} ${item.id}`, item.status);
        }
      }
    };
    await run.works(
      `${total} commands that need approval`,
      Promise.all(Array.from({ length: THREADS }, () => worker(live.codex))),
      () => "each asked once, then run or declined as answered",
    );
    assert.equal(asked, total);
    assert.equal(decisions.size, total);
    const expected = [...decisions].map(([id, decision]) => [
      id,
      decision === "accept" ? "completed" : "declined",
    ]);
    assert.deepEqual(outcomes, new Map(expected as [string, string][]));
  },
};

function commands({ input, index, lastUserText }: ModelRequest): ReturnType<typeof reply>[] {
  if (input.at(-1)?.["type"] !== "message") return [reply("done")];
  const id = `${lastUserText.replace(" ", "-")}-${index}`;
  return Array.from({ length: COMMANDS }, (_, n) =>
    exec("true", { callId: `call-${id}-${n}`, justification: "to see" }),
  );
}
