import { gate, reply } from "@codexwright/testing";
import { world } from "../../packages/test-support/src/world.ts";
import type { Drill } from "../lib/drill.ts";
import { valvedCodex } from "../lib/valve.ts";

export const stdoutClosed: Drill = {
  name: "stdout-closed",
  fault: "the server's stdout closes while it runs on",
  async run(run) {
    await using codex = await valvedCodex();
    const { codexPath } = codex;
    const held = gate();
    await using live = await world([reply("never", { deltas: ["nev", held, "er"] })], { codexPath });
    const thread = await live.codex.startThread();
    const ended = run.fails("the turn", thread.run("go"), { code: "connection_closed" });
    await held.reached;
    run.fault();
    await codex.break(live.server.root, "output");
    await ended;
    await run.works("`disconnect()`", live.codex.disconnect());
  },
};
