import { exec, gate, reply, streamFail, type ModelItem, type Scenario } from "@codexwright/testing";
import type { CodexClient } from "codexwright/client";
import { type Answer, ask, differential, heard, steps } from "./case.ts";

const OTHER = "01a1dee1-7664-7b61-90e2-23731fc5a095";

/** A client of a thread with a queue. */
class Queue {
  readonly threadId: string;
  readonly #codex: CodexClient;

  private constructor(codex: CodexClient, threadId: string) {
    this.#codex = codex;
    this.threadId = threadId;
  }

  /** Starts a thread with the settings of the configuration. */
  static async begin(codex: CodexClient): Promise<Queue> {
    const { thread } = await codex.request("thread/start", { approvalPolicy: "never" });
    return new Queue(codex, thread.id);
  }

  ask(method: string, params: object = {}): Promise<Answer> {
    return ask(this.#codex, method, { threadId: this.threadId, ...params });
  }

  /** Returns the id of the submission. */
  async add(text: string): Promise<unknown> {
    const input = [{ type: "text", text }];
    const { queuedSubmission } = await this.ask("thread/queue/add", {
      input,
      clientUserMessageId: `c-${text}`,
    });
    return queuedSubmission?.["id"];
  }

  /** Starts a turn, and waits until the model was asked. Returns the id of the turn. */
  async start(reached: Promise<unknown>): Promise<string> {
    const started = heard(this.#codex, "turn/started");
    await this.ask("turn/start", { input: [{ type: "text", text: "first" }] });
    await reached;
    return (await started).turn.id;
  }

  /** Resolves when so many turns have ended. Call this before the action that ends the first. */
  ended(count: number): Promise<unknown> {
    let seen = 0;
    return heard(this.#codex, "turn/completed", () => ++seen === count);
  }
}

/** A case whose first answer of the model waits. */
function queueing(
  perform: (queue: Queue, first: ReturnType<typeof gate>, codex: CodexClient) => Promise<void>,
  item: ModelItem = reply("first"),
): () => ReturnType<typeof steps> {
  return () => {
    const first = gate();
    return steps(
      { model: ({ index }) => (index === 0 ? [first, item] : reply(`answer ${index}`)) },
      async (codex) => perform(await Queue.begin(codex), first, codex),
    );
  };
}

/** Submissions that wait for the running turn, and settings of a running turn. */
export const QUEUE: readonly Scenario[] = [
  differential(
    "queue.order",
    "submissions that are listed, changed, reordered, deleted, and run one after the other",
    queueing(async (queue, first) => {
      await queue.start(first.reached);
      const [a, b, c, d] = [
        await queue.add("a"),
        await queue.add("b"),
        await queue.add("c"),
        await queue.add("d"),
      ];
      const change = (queuedSubmissionId: unknown, input: readonly object[]): Promise<Answer> =>
        queue.ask("thread/queue/update", { queuedSubmissionId, input });
      const page = async (params: object): Promise<Answer> => queue.ask("thread/queue/list", params);
      await page({});
      await page({ limit: 3 });
      await page({ limit: 3, cursor: "3" });
      await page({ limit: 0, cursor: "1" });
      for (const cursor of ["9", "", "x", "-1"]) await page({ cursor });
      await change(b, [{ type: "text", text: "changed" }]);
      await change(b, []);
      await change(OTHER, [{ type: "text", text: "x" }]);
      const reorder = (queuedSubmissionIds: readonly unknown[]): Promise<Answer> =>
        queue.ask("thread/queue/reorder", { queuedSubmissionIds });
      await reorder([a, b, c]);
      await reorder([a, b, c, c]);
      await reorder([a, b, c, d, d]);
      await reorder([a, b, c, OTHER]);
      await reorder([d, c, b, a]);
      await queue.ask("thread/queue/delete", { queuedSubmissionId: c });
      await queue.ask("thread/queue/delete", { queuedSubmissionId: c });
      await queue.ask("thread/queue/start", { queuedSubmissionId: b });
      await queue.ask("thread/queue/start", { queuedSubmissionId: OTHER });
      const all = queue.ended(4);
      first.open();
      await all;
      await page({});
    }),
  ),
  differential(
    "queue.idle",
    "a submission for an idle thread, and requests that are refused",
    queueing(async (queue, first) => {
      first.open();
      await queue.ask("thread/queue/start");
      await queue.ask("thread/queue/start", { queuedSubmissionId: OTHER });
      await queue.ask("thread/queue/add", { input: [], clientUserMessageId: "c" });
      await queue.ask("thread/queue/add", {
        input: [{ type: "image", url: "https://images.example/a.png" }],
        clientUserMessageId: "c",
      });
      await queue.ask("thread/queue/list", { threadId: OTHER });
      await queue.ask("thread/queue/list", { threadId: "nonsense" });
      const ended = queue.ended(1);
      await queue.add("a");
      await ended;
    }),
  ),
  differential(
    "queue.ephemeral",
    "an ephemeral thread has no queue",
    steps({ model: [] }, async (codex) => {
      const { thread } = await codex.request("thread/start", { ephemeral: true });
      const { id: threadId } = thread;
      const input = [{ type: "text", text: "a" }];
      await ask(codex, "thread/queue/add", { threadId, input, clientUserMessageId: "c" });
      await ask(codex, "thread/queue/list", { threadId });
      await ask(codex, "thread/queue/start", { threadId });
    }),
  ),
  differential(
    "queue.interrupted",
    "after an interrupt, the queue waits for a client",
    queueing(async (queue, first) => {
      const turnId = await queue.start(first.reached);
      await queue.add("a");
      const b = await queue.add("b");
      const stopped = queue.ended(1);
      await queue.ask("turn/interrupt", { turnId });
      await stopped;
      await queue.add("c");
      await queue.ask("thread/queue/list");
      const ended = queue.ended(3);
      await queue.ask("thread/queue/start", { queuedSubmissionId: b });
      await ended;
    }),
  ),
  differential(
    "queue.after-interrupt",
    "the queue goes on after the next turn",
    queueing(async (queue, first) => {
      const turnId = await queue.start(first.reached);
      await queue.add("a");
      const stopped = queue.ended(1);
      await queue.ask("turn/interrupt", { turnId });
      await stopped;
      await queue.ask("thread/resume", { excludeTurns: true });
      const ended = queue.ended(2);
      await queue.ask("turn/start", { input: [{ type: "text", text: "go on" }] });
      await ended;
    }),
  ),
  differential(
    "queue.failed",
    "the queue goes on after a turn that failed",
    queueing(
      async (queue, first) => {
        await queue.start(first.reached);
        await queue.add("a");
        const ended = queue.ended(2);
        first.open();
        await ended;
      },
      streamFail("invalid_prompt", "no"),
    ),
  ),
  differential(
    "queue.shell",
    "the queue goes on after a command of the user",
    queueing(async (queue, first, codex) => {
      first.open();
      const started = heard(codex, "turn/started");
      const ended = queue.ended(2);
      await queue.ask("thread/shellCommand", { command: "sleep 0.5" });
      await started;
      await queue.add("a");
      await ended;
    }),
  ),
  differential(
    "queue.not-loaded",
    "the queue of a thread that is not loaded runs when the thread is resumed",
    queueing(async (queue, first) => {
      first.open();
      const ended = queue.ended(1);
      await queue.ask("turn/start", { input: [{ type: "text", text: "first" }] });
      await ended;
      await queue.ask("thread/archive");
      await queue.add("a");
      await queue.ask("thread/queue/list");
      await queue.ask("thread/unarchive");
      const b = await queue.add("b");
      await queue.add("c");
      await queue.ask("thread/queue/list");
      await queue.ask("thread/queue/start", { queuedSubmissionId: b });
      const more = queue.ended(2);
      await queue.ask("thread/resume", { excludeTurns: true });
      await more;
      await queue.ask("thread/delete");
      await queue.ask("thread/queue/list");
    }),
  ),
  differential(
    "turn-settings.reviewer",
    "another reviewer for a running turn, and changes that are refused",
    queueing(async (queue, first) => {
      const change = (turnId: string, params: object): Promise<Answer> =>
        queue.ask("turn/settings/update", { turnId, ...params });
      await change(OTHER, { approvalsReviewer: "auto_review" });
      const turnId = await queue.start(first.reached);
      for (const other of [OTHER, "nonsense", ""]) await change(other, { approvalsReviewer: "auto_review" });
      await change(turnId, { approvalsReviewer: "guardian_subagent" });
      await change(turnId, { approvalsReviewer: "user" });
      await change(turnId, { approvalsReviewer: "user", effort: null, model: null, summary: null });
      await change(turnId, { approvalsReviewer: "user", effort: "low" });
      await change(turnId, { approvalsReviewer: "user", serviceTier: null });
      await change(turnId, { approvalsReviewer: null });
      await change(turnId, { approvalsReviewer: "nonsense" });
      await change(turnId, {});
      await change(turnId, { model: "other-model" });
      await change(turnId, { cwd: "/tmp" });
      await change(turnId, { threadId: OTHER, approvalsReviewer: "user" });
      await change(turnId, { threadId: "nonsense", approvalsReviewer: "user" });
      const ended = queue.ended(1);
      first.open();
      await ended;
      await change(turnId, { approvalsReviewer: "auto_review" });
      await queue.ask("thread/resume", { excludeTurns: true });
    }),
  ),
  differential("turn-settings.asked", "another reviewer decides from the next response on", () => {
    const first = gate();
    const want = exec("touch /outside", {
      args: { sandbox_permissions: "require_escalated", justification: "why" },
    });
    return steps(
      {
        model: ({ index }) =>
          index === 0 ? [first, exec("sleep 0.4")] : index === 1 ? want : reply(`answer ${index}`),
      },
      async (codex) => {
        codex.onServerRequest("item/commandExecution/requestApproval", () => ({ decision: "decline" }));
        const { thread } = await codex.request("thread/start", {
          approvalPolicy: "on-request",
          approvalsReviewer: "auto_review",
        });
        const { id: threadId } = thread;
        const started = heard(codex, "turn/started");
        await ask(codex, "turn/start", { threadId, input: [{ type: "text", text: "one" }] });
        const { turn } = await started;
        await first.reached;
        await ask(codex, "turn/settings/update", { threadId, turnId: turn.id, approvalsReviewer: "user" });
        const ended = heard(codex, "turn/completed");
        first.open();
        await ended;
      },
    );
  }),
];
