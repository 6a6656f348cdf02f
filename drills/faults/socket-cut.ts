import assert from "node:assert/strict";
import { CodexClient, CodexError, jsonSchema, tool, type Thread } from "codexwright";
import { exec, realAppServer, reasoning, reply, scriptedModel, toolCall } from "@codexwright/testing";
import { websocket } from "codexwright/websocket";
import { tcpProxy } from "../../packages/test-support/src/tcp-proxy.ts";
import { deferred, until } from "../../packages/test-support/src/events.ts";
import type { Drill } from "../lib/drill.ts";
import type { DrillRun } from "../lib/drill-run.ts";

/** About as many bytes as the server sends in one turn. */
const TURN_BYTES = 14_000;

const TURNS_PER_THREAD = 25;

/**
 * One client is cut off after a random number of bytes, another one is not. At the end both must have the
 * same state.
 */
export const socketCut: Drill = {
  name: "socket-cut",
  fault: "the websocket is cut at random points of a turn",
  async run(run) {
    await using model = await scriptedModel(({ input }) =>
      input.at(-1)?.["type"] === "message"
        ? [reasoning("thinking hard", { deltas: 5 }), exec("echo one; echo two")]
        : reply("a message of some length", { deltas: 12 }),
    );
    await using server = await realAppServer({ model, listen: "ws" });
    await using proxy = await tcpProxy(server.url);
    const { cwd, transport } = server.clientOptions;
    await using owner = await CodexClient.connect({ cwd, transport });
    const open = async (): Promise<Thread> => {
      const thread = await owner.startThread({ sandbox: "danger-full-access" });
      await thread.run("warm up");
      return thread;
    };
    let started = await open();
    let cuts = 0;
    let uncounted = 0;
    for (let round = 0; round < run.count({ small: 6, short: 60, long: 600 }); round++) {
      // The model receives the whole thread at every step, so threads are kept short.
      if (round % TURNS_PER_THREAD === TURNS_PER_THREAD - 1) started = await open();
      await using cut = await CodexClient.connect({ transport: websocket(proxy.url), reconnect: {} });
      const thread = await cut.resumeThread(started.id);
      const [back, ended] = [deferred(), deferred()];
      cut.on("reconnected", () => back.resolve());
      owner.once("turn:completed", () => ended.resolve());
      const wasCut = proxy.cutAfter(run.random.below(TURN_BYTES));
      run.fault();
      await settled(run, thread.run("go"));
      await ended.promise;
      if (wasCut()) {
        cuts++;
        await back.promise;
      }
      for (const client of [cut, owner]) await client.request("thread/loaded/list", {});
      const [known, all] = [lastTurn(thread), lastTurn(started)];
      // A client that was cut off before it received the thread's usage cannot compute this turn's usage. If
      // the turn ended before the client was back, the client has the turn from the history, which does not
      // contain usage.
      if (known.partial || known.usage === undefined) {
        uncounted++;
        delete known.partial;
        delete all.usageBefore;
        delete all.usage;
      }
      assert.deepEqual(known, all, "the client that was cut off does not have the state of the other one");
    }
    run.fact(
      `${cuts} cuts${uncounted > 0 ? `, ${uncounted} so early that the turn's token usage is unknown` : ""}`,
    );
    await toolCut(run);
  },
};

/**
 * Cuts the connection while a tool runs. The server then requests the same call again. The tool must not run twice, and
 * its first result counts.
 */
async function toolCut(run: DrillRun): Promise<void> {
  await using model = await scriptedModel([toolCall("slow", {}), reply("done")]);
  await using server = await realAppServer({ model, listen: "ws" });
  await using proxy = await tcpProxy(server.url);
  await using codex = await CodexClient.connect({ transport: websocket(proxy.url), reconnect: {} });
  const back = deferred();
  codex.on("reconnected", () => back.resolve());
  let runs = 0;
  const slow = tool({
    name: "slow",
    description: "Takes its time",
    input: jsonSchema({ type: "object", properties: {} }),
    run: async () => {
      runs++;
      run.fault();
      proxy.cut();
      await back.promise;
      return `run ${runs}`;
    },
  });
  const thread = await codex.startThread({ tools: [slow] });
  await run.fails("the turn, cut while a tool runs", thread.run("go"), {
    code: "turn_interrupted",
    recovered: true,
  });
  const { toolOutputs } = await run.works(
    "the tool",
    model.request(1),
    () => "runs once, and its result arrives",
  );
  assert.deepEqual([runs, Object.values(toolOutputs)], [1, ["run 1"]]);
  await until(() => thread.state.activeTurnId === undefined);
}

/** The three ways in which a turn may end here. Any other is an error. */
async function settled(run: DrillRun, turn: Promise<unknown>): Promise<void> {
  const error: unknown = await turn.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return void (await run.works("the turn", turn));
  assert.ok(error instanceof CodexError);
  const { code } = error;
  if (code === "turn_interrupted") await run.fails("the turn", turn, { code, recovered: true });
  // Cut off before the server's answer: we cannot know whether the turn has started.
  else await run.fails("the turn", turn, { code: "connection_closed", delivery: "unknown" });
}

function lastTurn(thread: Thread): { partial?: true; usage?: unknown; usageBefore?: unknown } {
  return JSON.parse(JSON.stringify(thread.state.turns.at(-1))) as ReturnType<typeof lastTurn>;
}
