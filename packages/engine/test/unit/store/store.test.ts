import { appendFile, readFile, writeFile } from "node:fs/promises";
import { expect } from "vitest";
import type { CodexClient } from "codexwright";
import type { ThreadStore } from "@codexwright/engine";
import { ThreadStoreError } from "@codexwright/engine";
import { rolloutStore } from "@codexwright/engine/node";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { echo, serverOn, temporaryHome, type Home } from "./home.ts";

async function ordinalsOf(home: Home): Promise<number[]> {
  return (await home.lines()).map((line) => (JSON.parse(line) as { ordinal: number }).ordinal);
}

async function turnsOf(
  codex: CodexClient,
  threadId: string,
): Promise<readonly { id: string; status: string }[]> {
  return (await codex.request("thread/turns/list", { threadId, sortDirection: "asc", itemsView: "full" }))
    .data;
}

verifies(
  "engine.records.resume",
  "a thread goes on in another server, with its turns, conversation and settings",
  async () => {
    await using home = await temporaryHome();
    const model = echo();
    let id = "";
    let before: unknown;
    {
      await using first = await serverOn(home, model);
      const thread = await first.codex.startThread({
        sandbox: "workspace-write",
        approvalPolicy: "never",
        model: "other",
      });
      id = thread.id;
      await thread.run("one");
      await thread.run("two");
      before = await turnsOf(first.codex, id);
    }
    const lines = await home.lines();
    expect(await ordinalsOf(home)).toEqual(lines.map((_, at) => at));
    await using second = await serverOn(home, model);
    const opened = await second.codex.request("thread/resume", { threadId: id });
    expect(opened.sandbox).toMatchObject({ type: "workspaceWrite" });
    expect(opened).toMatchObject({ approvalPolicy: "never", model: "other" });
    expect(await turnsOf(second.codex, id)).toEqual(before);
    await second.codex.thread(id).run("three");
    expect(model.inputs.at(-1)).toEqual(["one", "re one", "two", "re two", "three"]);
    const { data } = await second.codex.request("thread/list", {});
    expect(data.map(({ id: each, preview }) => [each, preview])).toEqual([[id, "one"]]);
  },
);

verifies(
  "engine.records.torn",
  "a line that was cut off is removed before the next record is written",
  async () => {
    for (const torn of [
      '{"timestamp":"x","ordi',
      "\u0000\u0000",
      '{"type":"event_msg","payload":{"type":"task_complete"}}',
    ]) {
      await using home = await temporaryHome();
      const model = echo();
      let id = "";
      {
        await using first = await serverOn(home, model);
        const thread = await first.codex.startThread();
        id = thread.id;
        await thread.run("one");
      }
      const [file = ""] = await home.files();
      await appendFile(file, torn);
      await using second = await serverOn(home, model);
      await (await second.codex.resumeThread(id)).run("two");
      const ordinals = await ordinalsOf(home);
      expect(ordinals).toEqual(ordinals.map((_, at) => at));
      expect((await readFile(file, "utf8")).includes(torn)).toBe(false);
      expect(model.inputs.at(-1)).toEqual(["one", "re one", "two"]);
    }
  },
);

verifies(
  "engine.records.skipped",
  "lines that cannot be read are skipped, and clients are warned once",
  async () => {
    await using home = await temporaryHome();
    const model = echo();
    let id = "";
    {
      await using first = await serverOn(home, model);
      const thread = await first.codex.startThread();
      id = thread.id;
      await thread.run("one");
    }
    const [file = ""] = await home.files();
    const lines = await home.lines();
    const odd = ["not JSON", "[1]", '{"type":7,"payload":{}}', '{"type":"event_msg","payload":null}'];
    const unknown = '{"timestamp":"","ordinal":3,"type":"of_the_future","payload":{"a":1}}';
    await writeFile(file, `${[...lines.slice(0, 2), ...odd, unknown, ...lines.slice(2)].join("\n")}\n`);
    await using second = await serverOn(home, model);
    const warnings: string[] = [];
    second.codex.onNotification("warning", ({ message }) => void warnings.push(message));
    const thread = await second.codex.resumeThread(id);
    await thread.run("two");
    expect(warnings.filter((text) => text.includes("skipped"))).toEqual([
      "4 lines of the thread's file could not be read and were skipped.",
    ]);
    expect(model.inputs.at(-1)).toEqual(["one", "re one", "two"]);
    expect(await readFile(file, "utf8")).toContain(unknown);
  },
);

verifies(
  "engine.records.one-writer",
  "a thread that another server has loaded is refused until that server closes",
  async () => {
    await using home = await temporaryHome();
    const model = echo();
    await using second = await serverOn(home, model);
    let id = "";
    {
      await using first = await serverOn(home, model);
      const thread = await first.codex.startThread();
      id = thread.id;
      await thread.run("one");
      const error = await rejection(second.codex.request("thread/resume", { threadId: id }));
      expect((error as Error).message).toContain(`thread ${id} already has an active writer`);
      expect(await rejection(second.codex.request("thread/archive", { threadId: id }))).toMatchObject({
        message: expect.stringContaining("already has an active writer") as string,
      });
      expect(await turnsOf(second.codex, id)).toHaveLength(1);
    }
    const thread = await second.codex.resumeThread(id);
    expect((await thread.run("two")).agentMessage).toBe("re two");
  },
);

verifies(
  "engine.records.fork-revert",
  "forks and truncated histories begin with the history before them, and are listed once",
  async () => {
    await using home = await temporaryHome();
    const model = echo();
    let id = "";
    let fork = "";
    {
      await using first = await serverOn(home, model);
      const thread = await first.codex.startThread();
      id = thread.id;
      for (const text of ["one", "two", "three"]) await thread.run(text);
      const turns = await turnsOf(first.codex, id);
      const { thread: forked } = await first.codex.request("thread/fork", {
        threadId: id,
        lastTurnId: turns[1]?.id ?? "",
      });
      fork = forked.id;
      await first.codex.thread(fork).run("forked");
      expect(model.inputs.at(-1)).toEqual(["one", "re one", "two", "re two", "forked"]);
      await first.codex.request("thread/revert", { threadId: id, beforeTurnId: turns[1]?.id ?? "" });
      await thread.run("again");
      expect(model.inputs.at(-1)).toEqual(["one", "re one", "again"]);
      await first.codex.request("thread/revert", { threadId: id, beforeTurnId: turns[0]?.id ?? "" });
      await thread.run("first");
    }
    await using second = await serverOn(home, model);
    await (await second.codex.resumeThread(id)).run("last");
    expect(model.inputs.at(-1)).toEqual(["first", "re first", "last"]);
    await (await second.codex.resumeThread(fork)).run("more");
    expect(model.inputs.at(-1)).toEqual(["one", "re one", "two", "re two", "forked", "re forked", "more"]);
    const { data } = await second.codex.request("thread/list", {});
    expect(data.map((each) => each.id).toSorted()).toEqual([id, fork].toSorted());
    expect(data.find((each) => each.id === fork)?.forkedFromId).toBe(id);
  },
);

verifies(
  "engine.records.manage",
  "names, archived threads and deleted threads survive the server",
  async () => {
    await using home = await temporaryHome();
    const model = echo();
    let id = "";
    {
      await using first = await serverOn(home, model);
      const thread = await first.codex.startThread();
      id = thread.id;
      await thread.run("one");
      await first.codex.request("thread/name/set", { threadId: id, name: "A name" });
      await first.codex.request("thread/metadata/update", { threadId: id, gitInfo: { sha: "abc" } });
      await first.codex.request("thread/archive", { threadId: id });
    }
    await using second = await serverOn(home, model);
    const list = async (archived: boolean) => (await second.codex.request("thread/list", { archived })).data;
    expect((await list(true)).map(({ name, gitInfo }) => [name, gitInfo?.sha])).toEqual([["A name", "abc"]]);
    expect(await list(false)).toEqual([]);
    await second.codex.request("thread/unarchive", { threadId: id });
    expect(await list(false)).toHaveLength(1);
    expect((await (await second.codex.resumeThread(id)).run("two")).agentMessage).toBe("re two");
    await second.codex.request("thread/delete", { threadId: id });
    expect(await list(false)).toEqual([]);
    expect(await home.files()).toEqual([]);
  },
);

verifies(
  "engine.records.ephemeral",
  "an ephemeral thread, and a thread without a turn, write nothing",
  async () => {
    await using home = await temporaryHome();
    await using only = await serverOn(home, echo());
    await only.codex.startThread();
    const thread = await only.codex.startThread({ ephemeral: true });
    await thread.run("one");
    expect(await home.files()).toEqual([]);
  },
);

verifies(
  "engine.records.faults",
  "a turn that cannot be stored fails, and the next one stores both",
  async () => {
    for (const failures of [1, 2, 5, 40]) {
      await using home = await temporaryHome();
      const whole = rolloutStore({ home: home.path });
      let left = 0;
      const store: ThreadStore = Object.assign(Object.create(whole) as ThreadStore, {
        claim: whole.claim.bind(whole),
        read: whole.read.bind(whole),
        find: whole.find.bind(whole),
        list: whole.list.bind(whole),
        append: async (...args: Parameters<ThreadStore["append"]>) => {
          if (left > 0 && left-- > 0) throw new ThreadStoreError("write a thread", "ENOSPC");
          await whole.append(...args);
        },
      });
      const model = echo();
      await using only = await serverOn(home, model, { store });
      const thread = await only.codex.startThread();
      await thread.run("one");
      left = failures;
      const error = (await rejection(thread.run("two"))) as Error;
      expect(error).toMatchObject({ code: "turn_failed" });
      expect(error.message).toContain("the thread store failed to write a thread: ENOSPC");
      left = 0;
      await thread.run("three");
      expect(model.inputs.at(-1)?.slice(0, 3)).toEqual(["one", "re one", "two"]);
      const ordinals = await ordinalsOf(home);
      expect(ordinals).toEqual(ordinals.map((_, at) => at));
      const stored = (await whole.read(thread.id))?.thread;
      expect(stored?.turns.map(({ status }) => status)).toEqual(["completed", "failed", "completed"]);
    }
  },
);
