import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { exec, gate, reply, type Gate, type ModelScript } from "@codexwright/testing";
import { CODEX_VERSIONS } from "../../../../scripts/codex-versions.ts";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { world, type WorldOptions } from "@codexwright/test-support/world";

/** A model that sends half of its first answer and then waits. */
const halting = (held: Gate): ModelScript => {
  return ({ index }) =>
    index === 0 ? reply("first", { deltas: ["fir", held, "st"] }) : reply(`call ${index}`);
};

/** Versions that answer a turn/start during a turn with the running turn. */
const JOINS: readonly string[] = ["0.155.0", "0.166.0"];

for (const version of CODEX_VERSIONS) {
  const joins = JOINS.includes(version);
  const options = { against: `codex ${version}`, timeoutMs: 180_000 } as const;
  const on = async (more: WorldOptions = {}): Promise<WorldOptions> => ({
    codexPath: await codexBinary(version),
    ...more,
  });

  verifies(
    ["versions.turn", "client.supports", "turn.send"],
    `a turn, a steer and a resume on ${version}`,
    async () => {
      const held = gate();
      await using live = await world(halting(held), await on());
      const { codex } = live;
      expect(codex.server.version).toBe(version);
      expect(codex.supports("thread/start")).toBe(true);
      expect(codex.supports("no/such/method")).toBe(false);
      const thread = await codex.startThread(
        { sandbox: "workspaceWrite", approvalPolicy: "never" },
        { timeoutMs: 60_000 },
      );
      const turn = thread.turn("one");
      await held.reached;
      const sent = await thread.send("two", { mode: "steer" });
      expect(sent).toMatchObject({ outcome: "steered" });
      expect(sent.turn).toBe(turn);
      // 0.98 answers before it has queued the input. A new name goes through the same queue, so the input is queued
      // when the name is updated.
      const named = new Promise<void>((resolve) =>
        codex.onNotification("thread/name/updated", () => resolve()),
      );
      await thread.setName("queued");
      await named;
      held.open();
      const result = await turn.completed;
      expect(JSON.stringify(live.model.requests.at(-1)?.input)).toContain("two");
      expect(result.usage?.totalTokens).toBeGreaterThan(0);
      await codex.disconnect();
      await using later = await CodexClient.connect(live.server.clientOptions);
      const resumed = await later.resumeThread(thread.id, { sandbox: "workspace-write" });
      expect((await resumed.run("three")).agentMessage).toMatch(/^call \d$/);
    },
    options,
  );

  verifies(
    ["turn.phantom", "turn.run"],
    `on ${version}, a turn during which a second turn/start arrives completes, and so does the next turn`,
    async () => {
      const held = gate();
      await using live = await world(halting(held), await on());
      const thread = await live.codex.startThread({}, { timeoutMs: 60_000 });
      const turn = thread.turn("one");
      await held.reached;
      const second = await live.codex.request("turn/start", {
        threadId: thread.id,
        input: [{ type: "text", text: "two", text_elements: [] }],
      });
      expect(second.turn.id === turn.id).toBe(joins);
      held.open();
      const result = await turn.completed;
      expect(result.source).toBe("server");
      expect(thread.state.activeTurnId).toBeUndefined();
      expect((await thread.run("three")).agentMessage).toMatch(/^call \d$/);
    },
    options,
  );

  verifies(
    ["versions.approval", "requests.command"],
    `an approval on ${version}`,
    async () => {
      const asked: string[] = [];
      await using live = await world(
        [exec("touch approved.txt", { justification: "to make a file" }), reply("done")],
        await on({
          approvalPolicy: "on-request",
          sandbox: "read-only",
          client: {
            onApproval: (request) => {
              asked.push(request.kind);
              return "accept";
            },
          },
        }),
      );
      const thread = await live.codex.startThread();
      const result = await thread.run("go");
      expect(asked).toEqual(["command"]);
      expect(result.items.find(({ type }) => type === "commandExecution")).toMatchObject({
        status: "completed",
      });
    },
    options,
  );
}

verifies(
  "versions.unsupported",
  "rejects, before sending it, anything that an older server lacks or would silently ignore",
  async () => {
    await using live = await world(() => reply("ok"), { codexPath: await codexBinary("0.98.0") });
    const thread = await live.codex.startThread();
    await thread.run("one");
    expect(await rejection(thread.fork({ ephemeral: true }))).toMatchObject({
      code: "unsupported",
      delivery: "notSent",
    });
    expect(await rejection(thread.delete())).toMatchObject({ code: "unsupported" });
    await thread.revert({ numTurns: 1 });
    expect((await thread.run("two")).agentMessage).toBe("ok");
  },
  { against: "codex 0.98.0", timeoutMs: 180_000 },
);

verifies(
  "versions.unsupported",
  "0.155.0 rejects a rollback of its own threads: revert() works, and the raw request rejects with a typed error",
  async () => {
    await using live = await world(() => reply("ok"), { codexPath: await codexBinary("0.155.0") });
    const { codex } = live;
    const thread = await codex.startThread();
    await thread.run("one");
    await thread.run("two");
    const raw = codex.request as (method: string, params: object) => Promise<unknown>;
    const refused = await rejection(raw("thread/rollback", { threadId: thread.id, numTurns: 1 }));
    expect(refused).toMatchObject({ code: "rpc", rpcCode: -32600 });
    await thread.revert({ numTurns: 1 });
    expect((await thread.read(true)).turns).toHaveLength(1);
  },
  { against: "codex 0.155.0", timeoutMs: 180_000 },
);
