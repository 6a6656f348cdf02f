import { execFileSync } from "node:child_process";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { EngineServer, type ModelProvider, type ThreadStore } from "@codexwright/engine";
import { rolloutStore } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";
import { completed, message, optionsOf } from "../ports.ts";
import { inputOf, RawClient, type Wire } from "../raw-client.ts";
import { echo, temporaryHome, type Home } from "./home.ts";

interface Submission {
  readonly id: string;
  readonly input: readonly { readonly text: string }[];
}

function serverOn(home: Home, model: ModelProvider, store?: ThreadStore): EngineServer {
  const stored = store ?? rolloutStore({ home: home.path });
  return new EngineServer(optionsOf(model, { home: home.path, store: stored }));
}

/** A model that never answers, until its turn is interrupted. */
const silent: ModelProvider = {
  id: "own",
  models: () => Promise.resolve([]),
  async *stream(_request, signal) {
    yield message("m", "…")[0] ?? completed;
    await new Promise<never>((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason)),
    );
  },
};

function add(client: RawClient, threadId: string, text: string): Promise<Wire> {
  return client.call("thread/queue/add", {
    threadId,
    input: inputOf(text),
    clientUserMessageId: `c-${text}`,
  });
}

async function queueOf(client: RawClient, threadId: string): Promise<string[]> {
  const { result } = await client.call("thread/queue/list", { threadId, limit: 1_000 });
  return (result as { data: Submission[] }).data.map(({ input }) => input[0]?.text ?? "");
}

/** The texts of the user, in the order in which this client received them. */
function said(client: RawClient): string[] {
  return client
    .all("item/completed")
    .map(({ params }) => params?.item as { type: string; content?: { text: string }[] } | undefined)
    .flatMap((item) => (item?.type === "userMessage" ? [item.content?.[0]?.text ?? ""] : []));
}

verifies(
  "engine.queue.kept",
  "waits in the home until the thread is resumed, on whichever server",
  async () => {
    await using home = await temporaryHome();
    let threadId = "";
    {
      await using server = serverOn(home, silent);
      const client = await RawClient.connect(server);
      threadId = await client.startThread();
      await client.startTurn(threadId, "first");
      await client.told("item/started", 2);
      for (const text of ["a", "b", "c"]) await add(client, threadId, text);
    }
    await using server = serverOn(home, echo());
    const client = await RawClient.connect(server);
    expect(await queueOf(client, threadId)).toEqual(["a", "b", "c"]);
    await client.call("thread/resume", { threadId });
    await client.told("turn/completed", 3);
    expect(said(client)).toEqual(["a", "b", "c"]);
    expect(await queueOf(client, threadId)).toEqual([]);
    await client.call("thread/archive", { threadId });
    await client.call("thread/unarchive", { threadId });
    await add(client, threadId, "gone");
    await client.call("thread/delete", { threadId });
    expect(await readdir(path.join(home.path, "codexwright/queues"))).toEqual([]);
    expect(server.failures).toEqual([]);
  },
);

verifies("engine.queue.order", "runs each submission once, however many clients add and delete", async () => {
  await using home = await temporaryHome();
  await using server = serverOn(home, echo());
  const clients = await Promise.all(Array.from({ length: 4 }, () => RawClient.connect(server)));
  const [first] = clients as [RawClient];
  const threadId = await first.startThread();
  await first.startTurn(threadId, "first");
  const kept: string[] = [];
  await Promise.all(
    clients.map(async (client, at) => {
      for (let n = 0; n < 12; n++) {
        const text = `${at}.${n}`;
        const { result } = await add(client, threadId, text);
        const { id } = (result as { queuedSubmission: Submission }).queuedSubmission;
        if (n % 3 !== 0) {
          kept.push(text);
          continue;
        }
        const deleted = await client.call("thread/queue/delete", { threadId, queuedSubmissionId: id });
        // It may have begun meanwhile.
        if (!(deleted.result as { deleted: boolean }).deleted) kept.push(text);
      }
    }),
  );
  await first.told("turn/completed", kept.length + 1);
  expect(said(first).toSorted()).toEqual(["first", ...kept].toSorted());
  for (const at of clients.keys()) {
    const mine = said(first).filter((text) => text.startsWith(`${at}.`));
    expect(mine).toEqual(kept.filter((text) => text.startsWith(`${at}.`)));
  }
  expect(await queueOf(first, threadId)).toEqual([]);
  expect(server.failures).toEqual([]);
});

verifies("engine.queue.faults", "a queue that cannot be stored is refused, or runs only once", async () => {
  await using home = await temporaryHome();
  const store = rolloutStore({ home: home.path });
  let fails = (_queue: readonly unknown[]): boolean => false;
  const failing: ThreadStore = new Proxy(store, {
    get: (target, name) => {
      const own = (Reflect.get(target, name) as (...args: unknown[]) => unknown).bind(target);
      if (name !== "enqueue") return own;
      return (id: string, queue: readonly unknown[]) =>
        fails(queue) ? Promise.reject(new Error("the disk is gone")) : own(id, queue);
    },
  });
  await using server = serverOn(home, echo(), failing);
  const client = await RawClient.connect(server);
  const threadId = await client.startThread();
  fails = () => true;
  expect((await add(client, threadId, "refused")).error).toBeDefined();
  expect(await queueOf(client, threadId)).toEqual([]);
  // The submission can be stored, but not removed when its turn begins.
  fails = (queue) => queue.length === 0;
  // Commands of the user are turns, too: the submission waits for the end of this one.
  await client.call("thread/shellCommand", { threadId, command: "x" });
  await add(client, threadId, "once");
  await client.told("thread/queue/changed", 2);
  while (!said(client).includes("once")) await new Promise((resolve) => setImmediate(resolve));
  await client.told("turn/completed", 2);
  await client.call("thread/loaded/list");
  expect(said(client)).toEqual(["once"]);
  expect(await queueOf(client, threadId)).toEqual(["once"]);
});

verifies(
  "engine.queue.hostile",
  "reads any file, and leaves out entries that are not submissions",
  async () => {
    const fine = { id: "1", input: inputOf("fine"), clientUserMessageId: "c" };
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const files: [string, readonly string[]][] = [
      ["", []],
      ["{", []],
      ["null", []],
      [deep, []],
      [`{"0":${JSON.stringify(fine)}}`, []],
      [JSON.stringify([fine, null, 1, [], {}]), ["fine"]],
      [JSON.stringify([{ ...fine, id: 1 }, { ...fine, clientUserMessageId: null }, fine]), ["fine"]],
      [
        JSON.stringify([
          { ...fine, input: [] },
          { ...fine, input: "x" },
          { ...fine, input: [null] },
        ]),
        [],
      ],
      [
        JSON.stringify([
          { ...fine, input: [{ type: "text", text: 1 }] },
          { ...fine, input: [{}] },
        ]),
        [],
      ],
    ];
    for (const [text, texts] of files) {
      await using home = await temporaryHome();
      await using server = serverOn(home, silent);
      const client = await RawClient.connect(server);
      const threadId = await client.startThread();
      await client.startTurn(threadId, "first");
      await client.told("item/started", 2);
      await mkdir(path.join(home.path, "codexwright/queues"), { recursive: true });
      await writeFile(path.join(home.path, `codexwright/queues/${threadId}.json`), text);
      expect(await queueOf(client, threadId)).toEqual(texts);
      await add(client, threadId, "more");
      expect(await queueOf(client, threadId)).toEqual([...texts, "more"]);
    }
  },
);

verifies("engine.queue.hostile", "does not follow a link, and does not wait for a FIFO", async () => {
  for (const kind of ["link", "fifo", "folder"]) {
    await using home = await temporaryHome();
    await using server = serverOn(home, echo());
    const client = await RawClient.connect(server);
    const threadId = await client.startThread();
    const folder = path.join(home.path, "codexwright/queues");
    const file = path.join(folder, `${threadId}.json`);
    await mkdir(folder, { recursive: true });
    const target = path.join(home.path, "target.json");
    await writeFile(target, JSON.stringify([{ id: "1", input: inputOf("evil"), clientUserMessageId: "c" }]));
    if (kind === "link") await symlink(target, file);
    else if (kind === "folder") await mkdir(file);
    else execFileSync("mkfifo", [file]);
    expect((await client.call("thread/queue/list", { threadId })).error?.code).toBe(-32603);
    // Turns run all the same.
    await client.startTurn(threadId, "go");
    expect((await client.told("turn/completed")).params?.turn?.status).toBe("completed");
  }
});
