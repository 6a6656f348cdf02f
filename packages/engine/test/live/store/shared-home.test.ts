import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { engine, responses } from "@codexwright/engine/node";
import { realAppServer, reply, scriptedModel, type ModelRequest } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";

type Via = () => Promise<CodexClient>;

/** Whether this runtime can update Codex's database. */
const SQLITE = "getBuiltinModule" in process && process.getBuiltinModule("node:sqlite") !== undefined;

/** The texts of the user and the model, without the notes of the servers. */
function said({ input }: Pick<ModelRequest, "input">): string[] {
  return input
    .filter(({ type, role }) => type === "message" && (role === "user" || role === "assistant"))
    .map((item) => (item["content"] as { text?: string }[]).map(({ text }) => text ?? "").join(""))
    .filter((text) => !text.startsWith("<"));
}

/** A home that Codex and the engine share, with one model. */
async function sharedHome() {
  const model = await scriptedModel(({ input }) => reply(`re ${said({ input }).at(-1)}`));
  const world = await realAppServer({ model });
  const codex: Via = () => CodexClient.connect(world.clientOptions);
  const own: Via = () =>
    CodexClient.connect({
      transport: engine({
        provider: responses({ id: "mock", baseUrl: model.baseUrl, apiKey: "none" }),
        home: world.codexHome,
        cwd: world.workspace,
        config: { model: "mock-model" },
        env: { HOME: world.home },
      }),
    });
  return {
    codex,
    own,
    model,
    home: world.codexHome,
    /** Runs a turn, and returns the conversation that the model got, without the new input. */
    say: async (via: Via, threadId: string | undefined, text: string) => {
      const client = await via();
      try {
        const thread =
          threadId === undefined ? await client.startThread() : await client.resumeThread(threadId);
        expect((await thread.run(text)).agentMessage).toBe(`re ${text}`);
        return { id: thread.id, before: said(model.requests.at(-1)!).slice(0, -1) };
      } finally {
        await client.disconnect();
      }
    },
    [Symbol.asyncDispose]: async () => {
      await world.close();
      await model.close();
    },
  };
}

async function turnsOf(client: CodexClient, threadId: string): Promise<string[]> {
  const params = { threadId, sortDirection: "asc", itemsView: "full", limit: 100 } as const;
  const { data } = await client.request("thread/turns/list", params);
  return data.map(({ status, items }) => `${status}: ${items.map(({ type }) => type).join()}`);
}

async function using<T>(via: Via, work: (client: CodexClient) => Promise<T>): Promise<T> {
  const client = await via();
  try {
    return await work(client);
  } finally {
    await client.disconnect();
  }
}

verifies(
  "engine.records.shared-home",
  "each server knows the settings that a client of the other changed after the last turn",
  async () => {
    await using shared = await sharedHome();
    const { codex, own, say } = shared;
    // Of a thread that Codex has begun, it knows the model from its database.
    const { id } = await say(own, undefined, "begin");
    const rounds: [changer: Via, reader: Via][] = [
      [own, codex],
      [codex, own],
    ];
    for (const [round, [changer, reader]] of rounds.entries()) {
      const settings = { model: `model-${round}`, effort: "high", approvalPolicy: "untrusted" } as const;
      await using(changer, async (client) => {
        const thread = await client.resumeThread(id);
        await client.request("thread/settings/update", { threadId: id, ...settings });
        // Codex writes the settings before it answers the next request.
        await thread.read();
      });
      await using(reader, async (client) => {
        const resumed = await client.request("thread/resume", { threadId: id, excludeTurns: true });
        expect(resumed).toMatchObject({
          model: `model-${round}`,
          reasoningEffort: "high",
          approvalPolicy: "untrusted",
        });
      });
    }
  },
  PINNED,
);

verifies(
  "engine.records.shared-home",
  "a thread goes on in Codex and in the engine, three times, with forks and reverts between",
  async () => {
    await using shared = await sharedHome();
    const { codex, own, say } = shared;
    const { id } = await say(codex, undefined, "begin");
    let conversation = ["begin", "re begin"];
    for (const round of [1, 2, 3]) {
      for (const [name, via] of Object.entries({ own, codex })) {
        const text = `${name} ${round}`;
        expect((await say(via, id, text)).before).toEqual(conversation);
        conversation = [...conversation, text, `re ${text}`];
      }
      // Reverts on the engine are seen by Codex only if its database can be updated.
      const reverter = round % 2 === 0 || !SQLITE ? codex : own;
      const forker = round % 2 === 0 ? own : codex;
      const fork = await using(forker, async (client) => {
        await client.request("thread/resume", { threadId: id });
        return (await client.request("thread/fork", { threadId: id })).thread.id;
      });
      const forked = [...conversation];
      for (const via of [own, codex, own]) {
        const { before } = await say(via, fork, `fork ${round}`);
        expect(before).toEqual(forked);
        forked.push(`fork ${round}`, `re fork ${round}`);
      }
      await using(reverter, async (client) => {
        await client.request("thread/resume", { threadId: id });
        const { data } = await client.request("thread/turns/list", { threadId: id });
        await client.request("thread/revert", { threadId: id, beforeTurnId: data[0]?.id ?? "" });
      });
      conversation = conversation.slice(0, -2);
    }
    const [theirs, ours] = [
      await using(codex, (c) => turnsOf(c, id)),
      await using(own, (c) => turnsOf(c, id)),
    ];
    expect(ours).toEqual(theirs);
    expect(ours).toHaveLength(conversation.length / 2);
    const listed = await using(own, (client) => client.request("thread/list", {}));
    expect(listed.data.filter((thread) => thread.id === id)).toHaveLength(1);
  },
  // It starts Codex many times, which takes long on a busy machine.
  { ...PINNED, timeoutMs: 240_000 },
);

verifies(
  "engine.records.shared-home",
  "if Codex and the engine want to write the same thread, the second is refused",
  async () => {
    await using shared = await sharedHome();
    const { id } = await shared.say(shared.own, undefined, "begin");
    for (const [first, second] of [
      [shared.codex, shared.own],
      [shared.own, shared.codex],
    ] as const) {
      await using(first, async (holder) => {
        await (await holder.resumeThread(id)).run("mine");
        await using(second, async (other) => {
          expect(await rejection(other.resumeThread(id))).toMatchObject({ code: "active_writer" });
        });
      });
    }
    const locks = await readdir(path.join(shared.home, "thread-writer-locks"));
    expect(locks.filter((name) => name.startsWith(id))).toEqual([]);
  },
  PINNED,
);

verifies(
  "engine.records.shared-home",
  "names and archived threads of either are seen by the other",
  async () => {
    await using shared = await sharedHome();
    const { codex, own, say } = shared;
    const { id } = await say(codex, undefined, "begin");
    const seenBy = async (via: Via, archived: boolean): Promise<(string | null)[]> =>
      (await using(via, (client) => client.request("thread/list", { archived }))).data
        .filter((thread) => thread.id === id)
        .map(({ name }) => name);
    await using(codex, (client) => client.request("thread/name/set", { threadId: id, name: "by Codex" }));
    expect(await seenBy(own, false)).toEqual(["by Codex"]);
    const warnings: string[] = [];
    await using(own, async (client) => {
      client.onNotification("warning", ({ message }) => void warnings.push(message));
      await client.request("thread/name/set", { threadId: id, name: "by the engine" });
      // The warning comes after the answer.
      await client.request("model/list", {});
    });
    if (SQLITE) expect(await seenBy(codex, false)).toEqual(["by the engine"]);
    expect(warnings.filter((text) => text.startsWith("Codex may not see"))).toHaveLength(SQLITE ? 0 : 1);
    await using(own, (client) => client.request("thread/archive", { threadId: id }));
    expect(await seenBy(own, true)).toEqual(["by the engine"]);
    expect(await seenBy(codex, true)).toHaveLength(1);
    // Codex unarchives only threads that its database knows as archived.
    await using(SQLITE ? codex : own, (client) => client.request("thread/unarchive", { threadId: id }));
    expect(await seenBy(own, false)).toEqual(["by the engine"]);
    expect((await say(own, id, "again")).before).toEqual(["begin", "re begin"]);
    const index = await readFile(path.join(shared.home, "session_index.jsonl"), "utf8");
    expect(index).toContain("by the engine");
  },
  PINNED,
);
