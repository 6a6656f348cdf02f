import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gate, reply } from "@codexwright/testing";
import { serversOf, world } from "../../packages/test-support/src/world.ts";
import { until } from "../../packages/test-support/src/events.ts";
import type { Drill } from "../lib/drill.ts";

/** A server that neither answers nor exits: the client must enforce every limit by itself. */
export const stop: Drill = {
  name: "stop",
  fault: "SIGSTOP of the server in the middle of a turn",
  async run(run) {
    const held = gate();
    await using live = await world(() => reply("slow", { deltas: ["sl", held, "ow"] }));
    const [first, second, third] = [
      await live.codex.startThread(),
      await live.codex.startThread(),
      await live.codex.startThread(),
    ];
    const turns = [
      first.turn("go", { silenceMs: 1_000 }),
      second.turn("go", { silenceMs: 0, timeoutMs: 1_500 }),
      third.turn("go"),
    ];
    const [silent, long, open] = turns.map((turn) => turn.completed) as [
      Promise<unknown>,
      Promise<unknown>,
      Promise<unknown>,
    ];
    const outcomes = [
      run.fails("a turn with `silenceMs: 1000`", silent, { code: "turn_timeout", limit: "silenceMs" }),
      run.fails("a turn with `timeoutMs: 1500`", long, { code: "turn_timeout", limit: "timeoutMs" }),
    ];
    const last = run.fails("a turn that `disconnect()` ends", open, { code: "connection_closed" });
    await Promise.all([held.reached, ...turns.map((turn) => turn.started)]);
    const [pid] = serversOf(live.server.root);
    assert.ok(pid, "no server found");
    run.fault();
    process.kill(pid, "SIGSTOP");
    // The threads of the process stop one after the other.
    await until(() => readFileSync(`/proc/${pid}/stat`, "utf8").includes(") T "));
    await run.fails(
      "a request with `timeoutMs: 500`",
      live.codex.request("thread/loaded/list", {}, { timeoutMs: 500 }),
      {
        code: "request_timeout",
        delivery: "unknown",
      },
    );
    await Promise.all(outcomes);
    run.fault();
    await run.works("`disconnect()`", live.codex.disconnect());
    await last;
  },
};
