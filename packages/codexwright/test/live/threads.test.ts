import { expect } from "vitest";
import { CodexClient, type CodexClientOptions } from "codexwright";
import { gate, reply } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, world, type LiveWorld } from "@codexwright/test-support/world";

/** Another client, with a server process of its own, in the same home. */
async function again(live: LiveWorld, options: Partial<CodexClientOptions> = {}): Promise<CodexClient> {
  return await CodexClient.connect({ ...live.server.clientOptions, ...options } as CodexClientOptions);
}

verifies(
  ["thread.resume", "state.turns"],
  "a thread resumed in another process has its history, and its sandbox is asked for again",
  async () => {
    await using live = await world(() => reply("Hello"));
    const thread = await live.codex.startThread({ sandbox: "danger-full-access" });
    await thread.run("hi");
    await live.codex.disconnect();
    await using later = await again(live, { sandbox: "workspace-write" });
    const resumed = await later.resumeThread(thread.id);
    expect(resumed.id).toBe(thread.id);
    expect(resumed.state.turns).toHaveLength(1);
    const { sandbox } = await later.request("thread/resume", { threadId: thread.id });
    expect(sandbox.type).toBe("workspaceWrite");
    expect((await resumed.run("again")).agentMessage).toBe("Hello");
    expect(resumed.state.turns).toHaveLength(2);
  },
  PINNED,
);

verifies(
  "thread.resume",
  "a loaded thread ignores overrides, and the client says so",
  async () => {
    await using live = await world(() => reply("Hello"));
    const thread = await live.codex.startThread();
    await thread.run("hi");
    const warnings: string[] = [];
    live.codex.on("warning", ({ code, message }) => warnings.push(`${code}: ${message}`));
    await live.codex.resumeThread(thread.id, { sandbox: "read-only", approvalPolicy: "on-request" });
    expect(warnings).toEqual([expect.stringMatching(/^overrides_ignored: .* sandbox, approvalPolicy: /)]);
  },
  PINNED,
);

verifies(
  "thread.errors",
  "what the server says only in words has a code: no rollout, active writer, archived, not found",
  async () => {
    await using live = await world(() => reply("Hello"));
    const { codex } = live;
    const unknown = "01a1dee1-7664-7b61-90e2-23731fc5a095";
    expect(await rejection(codex.thread(unknown).run("hi"))).toMatchObject({ code: "thread_not_found" });
    expect(await rejection(codex.resumeThread(unknown))).toMatchObject({ code: "no_rollout" });
    expect(await rejection(codex.thread(unknown).unarchive())).toMatchObject({ code: "thread_not_found" });
    const none = codex.thread("nope");
    const refusals = [
      none.run("hi"),
      none.read(),
      none.archive(),
      none.unarchive(),
      none.fork(),
      none.delete(),
    ];
    for (const refusal of refusals.map(async (each) => await rejection(each)))
      expect(await refusal).toMatchObject({ code: "thread_not_found" });
    const thread = await codex.startThread();
    await thread.run("hi");
    await using other = await again(live);
    expect(await rejection(other.resumeThread(thread.id))).toMatchObject({ code: "active_writer" });
    await thread.archive();
    expect(await rejection(codex.resumeThread(thread.id))).toMatchObject({ code: "thread_archived" });
    await thread.unarchive();
    const back = await codex.resumeThread(thread.id);
    expect((await back.run("hi")).agentMessage).toBe("Hello");
  },
  PINNED,
);

verifies(
  "thread.methods",
  "fork, name, read, metadata, revert and delete work on handles, and their fields follow",
  async () => {
    await using live = await world(() => reply("Hello"));
    const { codex } = live;
    const thread = await codex.startThread();
    expect(thread).toMatchObject({ ephemeral: false, cwd: live.server.workspace, modelProvider: "mock" });
    await thread.run("one");
    await thread.run("two");
    const named = new Promise<void>((resolve) => {
      codex.onNotification("thread/name/updated", () => resolve());
    });
    await thread.setName("A name");
    await named;
    expect(thread.name).toBe("A name");
    expect(thread.state.name).toBe("A name");
    await thread.updateMetadata({ gitInfo: { branch: "main" } });
    expect(thread.gitInfo?.branch).toBe("main");
    const fork = await thread.fork();
    expect(fork.forkedFromId).toBe(thread.id);
    expect((await fork.run("three")).agentMessage).toBe("Hello");
    expect((await fork.read(true)).turns).toHaveLength(3);
    await fork.revert({ numTurns: 2 });
    expect((await fork.read(true)).turns).toHaveLength(1);
    const [first] = (await thread.read(true)).turns;
    await thread.revert({ beforeTurnId: (await thread.read(true)).turns[1]?.id ?? "" });
    expect((await thread.read(true)).turns.map(({ id }) => id)).toEqual([first?.id]);
    expect(await rejection(thread.revert({ numTurns: 5 }))).toMatchObject({ code: "invalid_argument" });
    await fork.delete();
    expect(await rejection(codex.resumeThread(fork.id))).toMatchObject({ code: "thread_not_found" });
  },
  PINNED,
);

verifies(
  "thread.list",
  "iterating the threads gives each once, over pages, and filters are the server's",
  async () => {
    await using live = await world(() => reply("Hello"));
    const { codex } = live;
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const thread = await codex.startThread();
      await thread.run(`thread ${n}`);
      ids.push(thread.id);
    }
    const listed: string[] = [];
    for await (const { id } of codex.threads({ limit: 2 })) listed.push(id);
    expect(listed.toSorted()).toEqual(ids.toSorted());
    const page = await codex.listThreads({ limit: 2 });
    expect(page.data).toHaveLength(2);
    expect(page.nextCursor).toBeTypeOf("string");
    await codex.archiveThread(ids[0] ?? "");
    const archived: string[] = [];
    for await (const { id } of codex.threads({ archived: true })) archived.push(id);
    expect(archived).toEqual([ids[0]]);
    const models: string[] = [];
    for await (const { id } of codex.models({ limit: 1 })) models.push(id);
    expect(models).toEqual((await codex.listModels({})).data.map(({ id }) => id));
  },
  PINNED,
);

verifies(
  "thread.unsubscribe",
  "a turn on an unsubscribed thread subscribes first, and so is heard to its end",
  async () => {
    await using live = await world(() => reply("Hello"));
    const thread = await live.codex.startThread();
    await thread.run("one");
    expect(await thread.unsubscribe()).toBe("unsubscribed");
    expect((await thread.run("two")).agentMessage).toBe("Hello");
  },
  PINNED,
);

verifies(
  ["turn.unsolicited", "thread.methods"],
  "compaction and a shell command run as turns nobody started, and show in the state",
  async () => {
    await using live = await world(() => reply("Hello"));
    const { codex } = live;
    const thread = await codex.startThread();
    const first = await thread.run("one");
    const ended = (count: number): Promise<void> =>
      new Promise((resolve) => {
        let left = count;
        const stop = codex.onNotification("turn/completed", () => {
          if (--left > 0) return;
          stop();
          resolve();
        });
      });
    const shell = ended(1);
    await thread.shellCommand("echo from the shell");
    await shell;
    const compacted = ended(1);
    await thread.compact();
    await compacted;
    const kinds = thread.state.turns.map(({ items }) => items.map(({ item }) => item.type));
    expect(kinds[0]).toEqual(first.items.map(({ type }) => type));
    expect(kinds[1]).toContain("commandExecution");
    expect(kinds[2]).toContain("contextCompaction");
    expect(thread.state.activeTurnId).toBeUndefined();
  },
  PINNED,
);

verifies(
  ["turn.isolation", "state.foreign"],
  "50 threads with a turn each at once never mix",
  async () => {
    await using live = await world((request) => reply(`echo ${request.lastUserText}`, { deltas: 5 }));
    const threads = await Promise.all(
      Array.from({ length: 50 }, () => live.codex.startThread({ ephemeral: true })),
    );
    const results = await Promise.all(threads.map((thread, n) => thread.run(`number ${n}`)));
    for (const [n, result] of results.entries()) {
      expect(result.agentMessage).toBe(`echo number ${n}`);
      expect(result.items.map(({ type }) => type)).toEqual(["userMessage", "agentMessage"]);
      const state = threads[n]?.state;
      expect(state?.turns).toHaveLength(1);
      expect(state?.turns[0]?.usage?.totalTokens).toBe(110);
    }
  },
  { ...PINNED, timeoutMs: 120_000 },
);

verifies(
  ["state.items", "state.usage", "thread.subscribe"],
  "many subscribers see the same states, and one that joins late sees what is there",
  async () => {
    const held = gate();
    await using live = await world([reply("one two three", { deltas: ["one ", held, "two ", "three"] })]);
    const thread = await live.codex.startThread();
    const texts: string[] = [];
    const other = live.codex.thread(thread.id);
    const stop = thread.subscribe((state) => {
      const item = state.turns.at(-1)?.items.at(-1)?.item;
      if (item?.type === "agentMessage") texts.push(item.text);
    });
    const turn = thread.turn("go");
    for await (const event of turn) {
      if (event.method !== "item/agentMessage/delta") continue;
      if (event.params.delta === "one ") {
        expect(event.item).toMatchObject({ type: "agentMessage", text: "one " });
        expect(other.state).toBe(thread.state);
        expect(other.state.turns[0]?.items.at(-1)).toMatchObject({
          life: "inProgress",
          item: { text: "one " },
        });
        held.open();
      }
    }
    stop();
    const { usage } = await turn.completed;
    expect(texts[0]).toBe("");
    expect(texts.at(-1)).toBe("one two three");
    expect(other.state.turns[0]).toMatchObject({ status: "completed", usage });
    expect(other.state.context?.usedTokens).toBe(110);
  },
  PINNED,
);
