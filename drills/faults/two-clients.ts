import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { CodexClient, type Thread } from "codexwright";
import { exec, gate, realAppServer, reply, scriptedModel, type Gate } from "@codexwright/testing";
import { deferred, until } from "../../packages/test-support/src/events.ts";
import type { Drill } from "../lib/drill.ts";

/**
 * Both clients use one thread: one after the other, at the same moment, and in the same approval; then one
 * disconnects.
 */
export const twoClients: Drill = {
  name: "two-clients",
  fault: "two clients on one thread",
  async run(run) {
    const gates = new Map<string, Gate>([
      ["busy", gate()],
      ["alone", gate()],
    ]);
    await using model = await scriptedModel(({ lastUserText, input }) => {
      const held = gates.get(lastUserText);
      if (held) return reply("held", { deltas: ["he", held, "ld"] });
      if (lastUserText !== "ask" || input.at(-1)?.["type"] !== "message") return reply("done");
      return exec("echo one >> made.txt", { justification: "to see" });
    });
    await using server = await realAppServer({ model, listen: "unix" });
    const { cwd, transport } = server.clientOptions;
    const dismissed = deferred();
    await using one = await CodexClient.connect({
      cwd,
      transport,
      onApproval: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            dismissed.resolve();
            resolve("decline");
          });
        }),
    });
    await using other = await CodexClient.connect({ cwd, transport, onApproval: () => "accept" });
    const mine = await one.startThread({ sandbox: "read-only", approvalPolicy: "on-request" });
    await mine.run("warm up");
    const theirs = await other.resumeThread(mine.id);

    const first = mine.turn("busy");
    await Promise.all([gates.get("busy")?.reached, first.started]);
    await until(() => theirs.state.activeTurnId !== undefined);
    run.fault();
    await run.fails("a turn while a turn of the other client runs", theirs.run("me too"), {
      code: "thread_busy",
    });
    gates.get("busy")?.open();
    await run.works("the running turn", first.completed);

    run.fault();
    const both = await run.works(
      "two turns at the same moment",
      Promise.allSettled([mine.run("a"), theirs.run("b")]),
      words,
    );
    assert.ok(both.some(({ status }) => status === "fulfilled"));

    run.fault();
    await run.works("an approval that the other client answers first", mine.run("ask"));
    await dismissed.promise;
    assert.ok(existsSync(path.join(server.workspace, "made.txt")));

    await same(one, other, mine, theirs);

    const last = mine.turn("alone");
    await gates.get("alone")?.reached;
    await other.disconnect();
    gates.get("alone")?.open();
    run.fault();
    await run.works("the turn, when the other client disconnects", last.completed);
  },
};

function words(outcomes: readonly PromiseSettledResult<unknown>[]): string {
  return outcomes
    .map((each) => (each.status === "fulfilled" ? "works" : `\`${(each.reason as { code: string }).code}\``))
    .toSorted()
    .join(" and ");
}

/** Checks that both clients have the same state of the thread after both have received everything. */
async function same(one: CodexClient, other: CodexClient, mine: Thread, theirs: Thread): Promise<void> {
  for (const client of [one, other]) await client.request("thread/loaded/list", {});
  const [a, b] = [mine, theirs].map(({ state }) =>
    state.turns.slice(1).map(({ id, items }) => [id, items.length]),
  );
  assert.deepEqual(a, b);
}
