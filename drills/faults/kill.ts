import { exec, gate, hang, reply } from "@codexwright/testing";
import { killAll, processesOf, serversOf, world } from "../../packages/test-support/src/world.ts";
import type { Drill } from "../lib/drill.ts";

/** Kills the server without `reconnect`, with it, and while a command runs in the sandbox. */
export const kill: Drill = {
  name: "kill",
  fault: "kill -9 of the server in the middle of a turn",
  async run(run) {
    for (let round = 0; round < run.count({ small: 1, short: 5, long: 50 }); round++) {
      const held = gate();
      await using live = await world([reply("never", { deltas: ["nev", held, "er"] })]);
      const thread = await live.codex.startThread();
      const ended = run.fails("the turn", thread.run("go"), {
        code: "connection_closed",
        exitSignal: "SIGKILL",
      });
      await held.reached;
      run.fault();
      killAll(processesOf(live.server.root));
      await ended;
      await run.fails("the next call", thread.run("again"), {
        code: "connection_closed",
        delivery: "notSent",
      });
    }
    for (let round = 0; round < run.count({ small: 1, short: 5, long: 50 }); round++) {
      await using live = await world(
        (request) => (request.index === 0 ? exec("sleep 600") : request.index === 1 ? reply("back") : hang()),
        { client: { reconnect: {} } },
      );
      const thread = await live.codex.startThread();
      const turn = thread.turn("go");
      const ended = run.fails("the turn, with `reconnect`", turn.completed, {
        code: "turn_interrupted",
        recovered: true,
      });
      for await (const event of turn)
        if (event.method === "item/started" && event.params.item.type === "commandExecution") break;
      run.fault();
      killAll(serversOf(live.server.root));
      await ended;
      await run.works("the next turn, with `reconnect`", thread.run("again"));
    }
  },
};
