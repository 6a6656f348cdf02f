import { reply } from "../../model-steps.ts";
import { expectMatch, expectRejection, expectThat } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { heard, scenario, send, since } from "../steps.ts";

const UNKNOWN = "01a1dee1-7664-7b61-90e2-23731fc5a095";
const HELLO = (): ReturnType<typeof reply> => reply("Hello");

export const THREADS: readonly Scenario[] = [
  scenario(
    "thread.start",
    "starts a thread with the server's defaults, idle and empty, and announces it after the answer",
    {
      model: [],
      run: async (world) => {
        const codex = await world.connect();
        const announced = heard(codex, "thread/started");
        const started = await codex.request("thread/start", {});
        expectMatch(
          started,
          {
            model: "mock-model",
            modelProvider: "mock",
            cwd: world.workspace,
            sandbox: { type: /^(readOnly|workspaceWrite)$/ },
            thread: { id: /^[0-9a-f-]{36}$/, preview: "", cwd: world.workspace, turns: [] },
          },
          "the answer",
        );
        expectMatch(await announced, { thread: { id: started.thread.id } }, "the announcement");
      },
    },
  ),
  scenario("thread.overrides", "starts a thread with the requested model, folder, policy and sandbox", {
    model: [],
    run: async (world) => {
      const codex = await world.connect();
      const started = await codex.request("thread/start", {
        model: "other-model",
        cwd: `${world.workspace}/sub`,
        approvalPolicy: "on-request",
        sandbox: "danger-full-access",
        ephemeral: true,
      });
      expectMatch(
        started,
        {
          model: "other-model",
          cwd: `${world.workspace}/sub`,
          approvalPolicy: "on-request",
          sandbox: { type: "dangerFullAccess" },
        },
        "the answer",
      );
    },
  }),
  scenario(
    "thread.status",
    "a thread is active during a turn and idle after it, and every change is reported",
    {
      model: [reply("Hello")],
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const states: string[] = [];
        codex.onNotification("thread/status/changed", ({ status }) => states.push(status.type));
        await thread.run("hi");
        expectMatch(states, ["active", "idle"], "the states");
        expectMatch(await thread.read(), { status: { type: "idle" } }, "the thread");
      },
    },
    { since: "0.105.0" },
  ),
  scenario(
    "thread.ephemeral",
    "runs turns on an ephemeral thread without storing it, so it is neither listed nor resumed",
    {
      model: [reply("Hello")],
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread({ ephemeral: true });
        expectMatch(await thread.run("hi"), { agentMessage: "Hello" }, "the turn");
        expectMatch(await codex.listThreads(), { data: [] }, "the list");
        await expectRejection(
          send(codex, "thread/read", { threadId: thread.id, includeTurns: true }),
          { rpcCode: -32600, message: /ephemeral threads do not support includeTurns/ },
          "reading its turns",
        );
        if (since(world, "0.122.0")) {
          await expectRejection(
            send(codex, "thread/turns/list", { threadId: thread.id }),
            { rpcCode: -32600, message: /ephemeral threads do not support/ },
            "listing its turns",
          );
        }
        await expectRejection(
          send(codex, "thread/resume", { threadId: thread.id }),
          { rpcCode: -32600, message: `no rollout found for thread id ${thread.id}` },
          "a resume",
        );
      },
    },
  ),
  scenario("thread.unknown", "rejects an unknown thread, and an invalid thread id with another error", {
    model: [],
    run: async (world) => {
      const codex = await world.connect();
      const input = [{ type: "text", text: "hi" }];
      for (const [method, params, message] of [
        ["turn/start", { threadId: UNKNOWN, input }, `thread not found: ${UNKNOWN}`],
        ["thread/resume", { threadId: UNKNOWN }, `no rollout found for thread id ${UNKNOWN}`],
        ["turn/start", { threadId: "nonsense", input }, /^invalid thread id: /],
        ["thread/read", { threadId: UNKNOWN }, new RegExp(`^thread not loaded: ${UNKNOWN}`)],
      ] as const) {
        await expectRejection(send(codex, method, params), { rpcCode: -32600, message }, method);
      }
    },
  }),
  scenario("thread.loaded", "lists the loaded threads, page by page", {
    model: [],
    run: async (world) => {
      const codex = await world.connect();
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) ids.push((await codex.startThread({ ephemeral: true })).id);
      const { data } = await codex.request("thread/loaded/list", {});
      expectMatch(data.toSorted(), ids.toSorted(), "the list");
      const first = await codex.request("thread/loaded/list", { limit: 2 });
      expectThat(first.data.length === 2, "a page has the requested length");
      const { nextCursor: cursor } = first;
      const second = await codex.request("thread/loaded/list", { limit: 2, cursor });
      expectMatch([...first.data, ...second.data].toSorted(), ids.toSorted(), "the pages");
      expectMatch(second.nextCursor, null, "the last cursor");
    },
  }),
  scenario(
    "thread.list",
    "lists stored threads newest first with their first message, page by page, each once",
    {
      model: () => HELLO(),
      run: async (world) => {
        const codex = await world.connect();
        const ids: string[] = [];
        for (let n = 0; n < 3; n++) {
          const thread = await codex.startThread();
          await thread.run(`question ${n}`);
          ids.unshift(thread.id);
        }
        const listed = await codex.listThreads({ sortKey: "updated_at" });
        expectMatch(
          listed.data.map(({ id, preview }) => ({ id, preview })),
          ids.map((id, n) => ({ id, preview: `question ${2 - n}` })),
          "the list",
        );
        const paged: string[] = [];
        for await (const { id } of codex.threads({ limit: 2 })) paged.push(id);
        expectMatch(paged, ids, "the pages");
      },
    },
  ),
  scenario("thread.list-filters", "filters the list of threads by archived state, folder and provider", {
    model: () => HELLO(),
    run: async (world) => {
      const codex = await world.connect();
      const kept = await codex.startThread();
      await kept.run("kept");
      const gone = await codex.startThread();
      await gone.run("gone");
      await gone.archive();
      const ids = async (filter: object): Promise<string[]> =>
        (await codex.listThreads(filter)).data.map(({ id }) => id);
      expectMatch(await ids({}), [kept.id], "the threads that are not archived");
      expectMatch(await ids({ archived: true }), [gone.id], "the archived threads");
      expectMatch(await ids({ modelProviders: ["mock"] }), [kept.id], "the threads of this provider");
      expectMatch(await ids({ modelProviders: ["another"] }), [], "the threads of another provider");
    },
  }),
  scenario(
    "thread.read",
    "reads a thread with or without its turns, and its items are those that were reported",
    {
      model: () => HELLO(),
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const { turn } = await thread.run("one");
        expectMatch(await thread.read(), { id: thread.id, preview: "one", turns: [] }, "the thread");
        const { turns } = await thread.read(true);
        const items = [
          { type: "userMessage", content: [{ type: "text", text: "one" }] },
          { type: "agentMessage", text: "Hello" },
        ];
        expectMatch(turns, [{ status: "completed", items }], "its turns");
        if (since(world, "0.100.0")) expectMatch(turns[0]?.id, turn.id, "the turn's id");
      },
    },
  ),
  scenario(
    "thread.name",
    "stores a thread's name, and announces it to all clients",
    {
      model: () => HELLO(),
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await thread.run("one");
        const told = heard(codex, "thread/name/updated");
        await thread.setName("A name");
        expectMatch(await told, { threadId: thread.id, threadName: "A name" }, "the notifications");
        expectMatch(await thread.read(), { name: "A name" }, "the thread");
        await expectRejection(
          send(codex, "thread/name/set", { threadId: thread.id, name: "  " }),
          { rpcCode: -32600, message: "thread name must not be empty" },
          "an empty name",
        );
      },
    },
    { since: "0.105.0" },
  ),
  scenario(
    "thread.archive",
    "rejects resuming an archived thread until it is unarchived, and announces both changes",
    {
      model: () => HELLO(),
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await thread.run("one");
        const told = since(world, "0.104.0");
        const archived = heard(codex, "thread/archived");
        await thread.archive();
        if (told) expectMatch(await archived, { threadId: thread.id }, "the notifications");
        await expectRejection(codex.resumeThread(thread.id), { code: "thread_archived" }, "a resume");
        const unarchived = heard(codex, "thread/unarchived");
        await thread.unarchive();
        if (told) expectMatch(await unarchived, { threadId: thread.id }, "the notifications");
        const back = await codex.resumeThread(thread.id);
        expectMatch(await back.run("two"), { agentMessage: "Hello" }, "the next turn");
      },
    },
  ),
  scenario(
    "thread.delete",
    "announces a deleted thread, no longer lists it, and rejects resuming it",
    {
      model: () => HELLO(),
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await thread.run("one");
        const deleted = heard(codex, "thread/deleted");
        await thread.delete();
        expectMatch(await deleted, { threadId: thread.id }, "the notifications");
        expectMatch(await codex.listThreads(), { data: [] }, "the list");
        await expectRejection(codex.resumeThread(thread.id), { code: "thread_not_found" }, "a resume");
      },
    },
    { since: "0.140.0" },
  ),
  scenario(
    "thread.metadata",
    "patches and clears a thread's git information field by field",
    {
      model: () => HELLO(),
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await thread.run("one");
        await thread.updateMetadata({ gitInfo: { branch: "main", sha: "abc" } });
        expectMatch(await thread.read(), { gitInfo: { branch: "main", sha: "abc" } }, "the thread");
        await thread.updateMetadata({ gitInfo: { branch: null } });
        expectMatch(await thread.read(), { gitInfo: { branch: null, sha: "abc" } }, "the thread");
      },
    },
    { since: "0.110.0" },
  ),
];
