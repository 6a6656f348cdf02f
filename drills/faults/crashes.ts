import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { CodexClient } from "codexwright";
import { hang, realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { killAll, processesOf } from "../../packages/test-support/src/world.ts";
import { collectGarbage } from "../../packages/test-support/src/gc.ts";
import { deferred } from "../../packages/test-support/src/events.ts";
import type { Drill } from "../lib/drill.ts";
import type { DrillRun } from "../lib/drill-run.ts";

const MEBIBYTE = 1_048_576;

/**
 * Crashes in the middle of a turn: with a new client each time, with one client that reconnects, and with one
 * that gives up.
 */
export const crashes: Drill = {
  name: "crashes",
  fault: "repeated crashes",
  async run(run) {
    await using model = await scriptedModel(({ lastUserText }) =>
      lastUserText === "hang" ? hang() : reply("ok"),
    );
    await using server = await realAppServer({ model });
    const kill = (): void => killAll(processesOf(server.codexHome));

    const clients = run.count({ small: 4, short: 200, long: 200 });
    const grown = await growth(clients, async () => {
      await using codex = await CodexClient.connect(server.clientOptions);
      const thread = await codex.startThread({ ephemeral: true });
      const turn = thread.turn("hang");
      const ended = run.fails("a turn, with a new client each time", turn.completed, {
        code: "connection_closed",
      });
      await turn.started;
      run.fault();
      kill();
      await ended;
    });
    run.fact(`after ${clients} crashes with a new client each: ${grown}`);

    const losses = run.count({ small: 3, short: 10, long: 200 });
    await using codex = await CodexClient.connect({
      ...server.clientOptions,
      reconnect: { attempts: losses },
    });
    const thread = await codex.startThread();
    await thread.run("warm up");
    const kept = await growth(losses, async () => {
      const back = deferred();
      codex.once("reconnected", () => back.resolve());
      const turn = thread.turn("hang");
      const ended = run.fails("a turn, with `reconnect`", turn.completed, {
        code: "turn_interrupted",
        recovered: true,
      });
      await turn.started;
      run.fault();
      kill();
      await ended;
      await back.promise;
    });
    run.fact(`after ${losses} crashes of one client with \`reconnect\`: ${kept}`);
    assert.equal((await thread.run("go")).agentMessage, "ok");
    await giveUp(run, codex, thread.turn("hang"), kill);
  },
};

/** Loses the server once more than is allowed. */
async function giveUp(
  run: DrillRun,
  codex: CodexClient,
  turn: ReturnType<Awaited<ReturnType<CodexClient["startThread"]>>["turn"]>,
  kill: () => void,
): Promise<void> {
  const ended = run.fails("the turn at one crash more than allowed", turn.completed, {
    code: "connection_closed",
  });
  await turn.started;
  run.fault();
  kill();
  await ended;
  await run.fails("the next call", codex.startThread(), { code: "crash_loop" });
}

/** Repeats a step and describes what grew. Throws if more files are open at the end. */
async function growth(times: number, once: () => Promise<void>): Promise<string> {
  // The first run loads modules that are loaded on demand.
  await once();
  const before = await measured();
  for (let n = 1; n < times; n++) await once();
  const after = await measured();
  assert.ok(after.files <= before.files + 2, `${before.files} open files have become ${after.files}`);
  const heap = (after.heap - before.heap) / MEBIBYTE;
  assert.ok(heap < 8, `the heap grew by ${heap} MiB`);
  return `${after.files - before.files} more open files, heap ${heap < 0 ? "" : "+"}${heap.toFixed(1)} MiB`;
}

async function measured(): Promise<{ files: number; heap: number }> {
  await collectGarbage();
  return { files: readdirSync("/proc/self/fd").length, heap: process.memoryUsage().heapUsed };
}
