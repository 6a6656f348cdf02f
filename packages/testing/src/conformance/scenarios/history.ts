import { gate } from "../../model-gate.ts";
import { reply } from "../../model-steps.ts";
import { expectDefined, expectMatch, expectRejection, expectThat } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { collect, heard, scenario, send, since } from "../steps.ts";

const ECHO = ({ lastUserText }: { readonly lastUserText: string }): ReturnType<typeof reply> =>
  reply(`answer to ${lastUserText}`);

export const HISTORY: readonly Scenario[] = [
  scenario("history.resume", "a resumed thread has its history, which the model receives", {
    model: ECHO,
    run: async (world) => {
      const codex = await world.connect();
      const thread = await codex.startThread();
      await thread.run("one");
      await codex.disconnect();
      const later = await world.connect();
      const resumed = await later.resumeThread(thread.id);
      expectMatch(resumed.state.turns.length, 1, "the number of turns");
      expectMatch(await resumed.run("two"), { agentMessage: "answer to two" }, "the next turn");
      const input = JSON.stringify(world.model.requests[1]?.input);
      expectThat(input.includes("answer to one"), "the model sees the first answer");
      expectMatch((await resumed.read(true)).turns.length, 2, "the number of turns");
    },
  }),
  scenario(
    "history.resume-early",
    "rejects resuming a thread that has not run a turn",
    {
      model: [],
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await expectRejection(codex.resumeThread(thread.id), { code: "no_rollout" }, "a resume");
      },
    },
    { since: "0.99.0" },
  ),
  scenario(
    "history.resume-loaded",
    "resumes a loaded thread unchanged, and ignores overrides",
    {
      model: ECHO,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await thread.run("one");
        const resumed = await codex.request("thread/resume", {
          threadId: thread.id,
          model: "other-model",
          sandbox: "read-only",
          approvalPolicy: "on-request",
        });
        expectMatch(
          resumed,
          { model: "mock-model", approvalPolicy: "never", sandbox: { type: "workspaceWrite" } },
          "the answer",
        );
      },
    },
    { since: "0.104.0" },
  ),
  scenario(
    "history.resume-running",
    "reports a thread that is resumed during a turn as active, with the completed part of the turn",
    () => {
      const held = gate();
      return {
        model: [reply("first part", { deltas: ["first ", held, "part"] })],
        run: async (world) => {
          const codex = await world.connect();
          const thread = await codex.startThread();
          const turn = thread.turn("one");
          await held.reached;
          const { thread: resumed } = await codex.request("thread/resume", { threadId: thread.id });
          expectMatch(resumed, { status: { type: "active", activeFlags: [] } }, "the thread");
          expectMatch(
            resumed.turns,
            [{ status: "inProgress", items: [{ type: "userMessage" }] }],
            "its turns",
          );
          held.open();
          expectMatch(await turn.completed, { agentMessage: "first part" }, "the turn");
        },
      };
    },
    { since: "0.105.0" },
  ),
  scenario(
    "history.turns",
    "pages turns in both directions, with as many of their items as requested",
    {
      model: ECHO,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const ids: string[] = [];
        for (const text of ["one", "two", "three"]) ids.push((await thread.run(text)).turn.id);
        const { id: threadId } = thread;
        const page = await codex.request("thread/turns/list", { threadId, limit: 2, sortDirection: "asc" });
        expectMatch(
          page.data.map(({ id }) => id),
          ids.slice(0, 2),
          "the first page",
        );
        const cursor = expectDefined(page.nextCursor, "a cursor");
        const rest = await codex.request("thread/turns/list", { threadId, cursor, sortDirection: "asc" });
        expectMatch(
          rest.data.map(({ id }) => id),
          ids.slice(2),
          "the second page",
        );
        const latest = await codex.request("thread/turns/list", { threadId, limit: 1, itemsView: "full" });
        expectMatch(
          latest.data,
          [
            {
              id: expectDefined(ids[2], "a turn"),
              items: [{ type: "userMessage" }, { type: "agentMessage" }],
            },
          ],
          "the latest turn",
        );
      },
    },
    { since: "0.122.0" },
  ),
  scenario(
    "history.items",
    "pages items over the whole thread and over one turn",
    {
      model: ECHO,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await thread.run("one");
        const { turn } = await thread.run("two");
        const { id: threadId } = thread;
        const types: string[] = [];
        let cursor: string | null | undefined;
        do {
          const page = await codex.request("thread/items/list", {
            threadId,
            limit: 1,
            sortDirection: "asc",
            ...(cursor && { cursor }),
          });
          types.push(...page.data.map(({ item }) => item.type));
          cursor = page.nextCursor;
        } while (cursor);
        expectMatch(types, ["userMessage", "agentMessage", "userMessage", "agentMessage"], "all items");
        const one = await codex.request("thread/items/list", {
          threadId,
          turnId: turn.id,
          sortDirection: "asc",
        });
        expectMatch(
          one.data,
          [{ item: { content: [{ text: "two" }] } }, { item: { text: "answer to two" } }],
          "one turn's items",
        );
      },
    },
    { since: "0.151.0" },
  ),
  scenario("history.fork", "forks a thread into a new thread with its history", {
    model: ECHO,
    run: async (world) => {
      const codex = await world.connect();
      const thread = await codex.startThread();
      await thread.run("one");
      const started = heard(codex, "thread/started");
      const fork = await thread.fork();
      expectThat(fork.id !== thread.id, "it has its own id");
      expectMatch(await started, { thread: { id: fork.id } }, "the announcement");
      if (since(world, "0.120.0")) expectMatch(fork.forkedFromId, thread.id, "what it was forked from");
      expectMatch(await fork.run("two"), { agentMessage: "answer to two" }, "its turn");
      expectMatch((await fork.read(true)).turns.length, 2, "its turns");
      expectMatch((await thread.read(true)).turns.length, 1, "the other's turns");
    },
  }),
  scenario(
    "history.fork-part",
    "forks up to a turn of the source, and as an ephemeral thread",
    {
      model: ECHO,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const { turn } = await thread.run("one");
        await thread.run("two");
        const part = await thread.fork({ lastTurnId: turn.id });
        expectMatch((await part.read(true)).turns.length, 1, "the turns of the part");
        const brief = await codex.request("thread/fork", {
          threadId: thread.id,
          ephemeral: true,
          excludeTurns: true,
        });
        expectMatch(brief.thread, { ephemeral: true, turns: [] }, "the ephemeral fork");
        expectMatch(
          await codex.thread(brief.thread.id).run("three"),
          { agentMessage: "answer to three" },
          "it",
        );
        const input = JSON.stringify(world.model.requests[2]?.input);
        expectThat(input.includes("answer to two"), "the model sees the source's history");
      },
    },
    { since: "0.145.0" },
  ),
  scenario(
    "history.revert",
    "removes reverted turns for readers and for the model",
    {
      model: ECHO,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const { turn } = await thread.run("one");
        const second = await thread.run("two");
        const reverted = heard(codex, "thread/reverted");
        await thread.revert({ beforeTurnId: second.turn.id });
        expectMatch(await reverted, { threadId: thread.id }, "the notifications");
        expectMatch(
          (await thread.read(true)).turns.map(({ id }) => id),
          [turn.id],
          "the turns left",
        );
        await thread.run("three");
        const input = JSON.stringify(world.model.requests[2]?.input);
        expectThat(
          input.includes("answer to one") && !input.includes("answer to two"),
          "the model does not see the reverted turn",
        );
      },
    },
    { since: "0.151.0" },
  ),
  scenario("history.revert-count", "removes the last turns by their number, for readers and for the model", {
    model: ECHO,
    run: async (world) => {
      const codex = await world.connect();
      const thread = await codex.startThread();
      await thread.run("one");
      await thread.run("two");
      await thread.revert({ numTurns: 1 });
      expectMatch((await thread.read(true)).turns.length, 1, "the turns left");
      await thread.run("three");
      const input = JSON.stringify(world.model.requests[2]?.input);
      expectThat(
        input.includes("answer to one") && !input.includes("answer to two"),
        "the model does not see the removed turns",
      );
    },
  }),
  scenario(
    "history.revert-unknown",
    "rejects a revert before a turn that does not exist",
    {
      model: ECHO,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await thread.run("one");
        const beforeTurnId = "01a1dee1-7664-7b61-90e2-23731fc5a095";
        await expectRejection(
          send(codex, "thread/revert", { threadId: thread.id, beforeTurnId }),
          { rpcCode: -32600, message: `turn not found: ${beforeTurnId}` },
          "the revert",
        );
        expectMatch((await thread.read(true)).turns.length, 1, "the turns left");
      },
    },
    { since: "0.151.0" },
  ),
  scenario(
    "history.unsubscribe",
    "returns one of three statuses for unsubscribing, and sends no more events of the thread's turns",
    {
      model: ECHO,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await thread.run("one");
        const { id: threadId } = thread;
        const unsubscribe = async (id: string): Promise<string> =>
          (await codex.request("thread/unsubscribe", { threadId: id })).status;
        expectMatch(await unsubscribe(threadId), "unsubscribed", "the status");
        expectMatch(await unsubscribe(threadId), "notSubscribed", "the status of a second attempt");
        const unknown = "01a1dee1-7664-7b61-90e2-23731fc5a095";
        expectMatch(await unsubscribe(unknown), "notLoaded", "the status of an unknown thread");
        const events = collect(codex, "turn/started", "turn/completed", "item/completed");
        const idle = heard(codex, "thread/status/changed", ({ status }) => status.type === "idle");
        await codex.request("turn/start", { threadId, input: [{ type: "text", text: "two" }] });
        await idle;
        expectMatch(events, [], "the events of a turn without a subscription");
      },
    },
    { since: "0.121.0" },
  ),
];
