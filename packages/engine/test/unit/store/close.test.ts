import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { EngineServer } from "@codexwright/engine";
import { rolloutStore } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";
import { optionsOf } from "../ports.ts";
import { inputOf, RawClient } from "../raw-client.ts";
import { echo, temporaryHome, type Home } from "./home.ts";

const ID = "01a1f034-7d84-7530-82f0-2f7b5ac19e67";

function line(ordinal: number, type: string, payload: string): string {
  return `{"timestamp":"2026-11-18T19:48:55Z","ordinal":${ordinal},"type":"${type}","payload":${payload}}\n`;
}

/** Writes a thread with one turn, followed by these lines. */
async function written(home: Home, ...more: string[]): Promise<void> {
  const folder = path.join(home.path, "sessions/2026/11/18");
  await mkdir(folder, { recursive: true });
  const meta = { id: ID, cwd: "/", source: "vscode", history_mode: "paginated" };
  const said = { type: "UserMessage", id: "u", content: [{ type: "text", text: "hi" }] };
  const lines = [
    line(0, "session_meta", JSON.stringify(meta)),
    line(1, "event_msg", JSON.stringify({ type: "task_started", turn_id: "t" })),
    line(2, "event_msg", JSON.stringify({ type: "item_completed", turn_id: "t", item: said })),
    ...more,
  ];
  await writeFile(path.join(folder, `rollout-2026-11-18T19-48-54-${ID}.jsonl`), lines.join(""));
}

function serverOn(home: Home): EngineServer {
  return new EngineServer(optionsOf(echo(), { home: home.path, store: rolloutStore({ home: home.path }) }));
}

verifies("engine.records.close", "gives up the lock at whatever moment the server closes", async () => {
  for (const method of ["thread/resume", "thread/fork", "turn/start", "thread/revert", "thread/archive"]) {
    for (const turns of [0, 2, 8, 32]) {
      await using home = await temporaryHome();
      await written(home);
      const server = serverOn(home);
      const client = await RawClient.connect(server);
      if (method.startsWith("turn") || method === "thread/revert") {
        await client.call("thread/resume", { threadId: ID });
      }
      void client.call(method, { threadId: ID, input: inputOf("x"), beforeTurnId: "t" });
      for (let n = 0; n < turns; n++) await new Promise((resolve) => setImmediate(resolve));
      await server.close();
      await using next = serverOn(home);
      const other = await RawClient.connect(next);
      const { error } = await other.call("thread/resume", { threadId: ID });
      expect({ method, turns, error: error?.message.includes("writer") ?? false }).toEqual({
        method,
        turns,
        error: false,
      });
      expect(server.failures).toEqual([]);
      await other.close();
    }
  }
});

verifies(
  "engine.records.deep",
  "skips deep lines, so that the thread can be read, forked and continued",
  async () => {
    const nest = (levels: number): string => `${'[{"a":'.repeat(levels / 2)}1${"}]".repeat(levels / 2)}`;
    const text = String.raw`\"[[[\\`;
    const fine = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"${text.repeat(500)}"}]}`;
    await using home = await temporaryHome();
    await written(
      home,
      line(3, "response_item", fine),
      line(4, "response_item", `{"type":"message","role":"user","content":${nest(100_000)}}`),
      line(5, "event_msg", `{"type":"item_completed","turn_id":"t","item":${nest(2_000)}}`),
      `${"[".repeat(20_000_000)}\n`,
    );
    await using server = serverOn(home);
    const client = await RawClient.connect(server);
    for (const method of [
      "thread/list",
      "thread/read",
      "thread/items/list",
      "thread/fork",
      "thread/resume",
    ]) {
      expect(await client.call(method, { threadId: ID, includeTurns: true })).toMatchObject({ result: {} });
    }
    expect((await client.told("warning")).params).toMatchObject({
      message: expect.stringContaining("3 lines") as string,
    });
    const items = [{ type: "message", role: "user", content: JSON.parse(nest(300)) as unknown }];
    const refused = await client.call("thread/inject_items", { threadId: ID, items });
    expect(refused.error?.message).toContain("recursion limit");
    await client.startTurn(ID, "go on");
    expect((await client.told("turn/completed")).params?.turn?.status).toBe("completed");
    await client.close();
  },
);
