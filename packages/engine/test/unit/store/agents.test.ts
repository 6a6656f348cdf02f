import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import type { ModelEvent } from "@codexwright/engine";
import { verifies } from "@codexwright/test-support/verifies";
import { completed, message, modelOf } from "../ports.ts";
import { serverOn, temporaryHome } from "./home.ts";

const SPAWN: ModelEvent = {
  type: "itemDone",
  item: {
    type: "function_call",
    call_id: "spawn",
    namespace: "multi_agent_v1",
    name: "spawn_agent",
    arguments: JSON.stringify({ message: "work of the agent" }),
  },
};

verifies(
  "engine.records.agents",
  "an agent has a file of its own, whatever its thread has stored before",
  async () => {
    await using home = await temporaryHome();
    const done = (id: string): ModelEvent[] => [...message(id, "done"), completed];
    const first = await serverOn(home, modelOf(done("m1")));
    const { id: threadId } = await first.codex.startThread();
    await first.codex.thread(threadId).run("before");
    await first[Symbol.asyncDispose]();
    // A thread that was resumed knows the place of its file.
    await using second = await serverOn(
      home,
      modelOf([SPAWN, completed], ...["m2", "m3", "m4"].map((id) => done(id))),
    );
    const thread = await second.codex.resumeThread(threadId);
    await thread.run("spawn an agent");
    await second.server.shutdown();
    const files = await home.files();
    expect(files).toHaveLength(2);
    for (const file of files) {
      const text = await readFile(file, "utf8");
      const [, id] = /-([0-9a-f-]{36})\.jsonl$/.exec(file) ?? [];
      const records = text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { ordinal: number; payload: { id?: string } });
      expect(records[0]?.payload.id).toBe(id);
      expect(records.map(({ ordinal }) => ordinal)).toEqual(records.map((_, at) => at));
      // The output of the call and the message to the agent are in different files.
      expect(text.includes('"text":"work of the agent"')).toBe(id !== thread.id);
    }
  },
);
