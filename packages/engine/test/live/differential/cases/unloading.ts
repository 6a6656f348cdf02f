import { exec, gate, reply, type Scenario, type World } from "@codexwright/testing";
import type { CodexClient } from "codexwright/client";
import { ask, differential, heard } from "./case.ts";

const OTHER = "01a1dee1-7664-7b61-90e2-23731fc5a095";
const ECHO = (): ReturnType<typeof reply> => reply("ok");

/** A case with a client that owns a thread, and one that only watches. */
function watched(
  steps: (codex: CodexClient, watcher: CodexClient, world: World) => Promise<void>,
): (world: World) => Promise<void> {
  return async (world) => steps(await world.connect(), await world.connect(), world);
}

/** Starts a thread with the sandbox of the configuration, because Codex forgets any other. */
async function started(codex: CodexClient, more: object = {}): Promise<string> {
  const { thread } = await codex.request("thread/start", { approvalPolicy: "never", ...more });
  return thread.id;
}

/** A thread that is unloaded so many seconds after its last client has left. */
function unloadedAfter(codex: CodexClient, seconds: number, more: object = {}): Promise<string> {
  return started(codex, { ...more, config: { thread_unload_delay_secs: seconds } });
}

/** Runs a turn without resuming the thread first. */
async function turn(codex: CodexClient, threadId: string, text: string): Promise<void> {
  const ended = heard(codex, "turn/completed");
  await ask(codex, "turn/start", { threadId, input: [{ type: "text", text }] });
  await ended;
}

/** Starts a turn, and waits until the model was asked. */
async function held(codex: CodexClient, threadId: string, reached: Promise<unknown>): Promise<void> {
  await ask(codex, "turn/start", { threadId, input: [{ type: "text", text: "one" }] });
  await reached;
}

/** Threads whose last client has left. */
export const UNLOADING: readonly Scenario[] = [
  differential("unload.unsubscribe", "a thread whose client has unsubscribed", () => ({
    model: ECHO,
    run: watched(async (codex, watcher) => {
      const threadId = await unloadedAfter(codex, 1);
      await turn(codex, threadId, "one");
      const closed = heard(codex, "thread/closed");
      await ask(codex, "thread/unsubscribe", { threadId });
      await ask(codex, "thread/unsubscribe", { threadId });
      await ask(watcher, "thread/loaded/list", {});
      await ask(watcher, "thread/read", { threadId });
      await closed;
      await ask(codex, "thread/loaded/list", {});
      await ask(codex, "thread/read", { threadId });
      await ask(codex, "turn/start", { threadId, input: [{ type: "text", text: "two" }] });
      await ask(codex, "thread/unsubscribe", { threadId });
      await ask(codex, "thread/resume", { threadId, excludeTurns: true });
      await turn(codex, threadId, "three");
    }),
  })),
  differential("unload.disconnect", "threads of a client that has disconnected", () => ({
    model: ECHO,
    run: watched(async (codex, watcher) => {
      await turn(codex, await unloadedAfter(codex, 1), "one");
      await turn(codex, await unloadedAfter(codex, 1, { ephemeral: true }), "one");
      await unloadedAfter(codex, 1);
      let count = 0;
      const closed = heard(watcher, "thread/closed", () => ++count === 3);
      await codex.disconnect();
      await closed;
      await ask(watcher, "thread/loaded/list", {});
    }),
  })),
  differential("unload.background", "a command that still runs when its thread is unloaded", () => ({
    model: [exec("echo on; sleep 100", { args: { yield_time_ms: 500 } }), reply("ok"), reply("ok")],
    run: watched(async (codex) => {
      const threadId = await unloadedAfter(codex, 0);
      await turn(codex, threadId, "one");
      const closed = heard(codex, "thread/closed");
      await ask(codex, "thread/unsubscribe", { threadId });
      await closed;
      await ask(codex, "thread/resume", { threadId, excludeTurns: true });
      await ask(codex, "thread/backgroundTerminals/list", { threadId });
      await ask(codex, "thread/turns/list", { threadId, itemsView: "full" });
      await turn(codex, threadId, "two");
    }),
  })),
  differential("unload.turn", "a turn that ends after its last client has left", () => {
    const answer = gate();
    return {
      model: ({ index }) => (index === 0 ? [answer, reply("one")] : reply("ok")),
      run: watched(async (codex, watcher) => {
        const threadId = await unloadedAfter(codex, 0);
        await held(codex, threadId, answer.reached);
        await ask(codex, "thread/unsubscribe", { threadId });
        await ask(codex, "thread/loaded/list", {});
        const closed = heard(watcher, "thread/closed");
        answer.open();
        await closed;
        await ask(watcher, "thread/resume", { threadId, excludeTurns: true });
        await ask(watcher, "thread/turns/list", { threadId, itemsView: "full" });
      }),
    };
  }),
  differential("unload.delay", "delays that are wrong", () => ({
    model: ECHO,
    run: watched(async (codex) => {
      for (const delay of [-1, 1.5, "soon", true]) {
        await ask(codex, "thread/start", { config: { thread_unload_delay_secs: delay } });
      }
      await ask(codex, "thread/loaded/list", {});
    }),
  })),
  differential("resume.unused", "a loaded thread without clients is resumed with other settings", () => ({
    model: ECHO,
    run: watched(async (codex, watcher) => {
      const threadId = await started(codex);
      await turn(codex, threadId, "one");
      const again = async (more: object): Promise<void> => {
        await ask(codex, "thread/unsubscribe", { threadId });
        await ask(codex, "thread/resume", { threadId, excludeTurns: true, ...more });
      };
      await again({});
      await again({ model: "mock-model" });
      await again({ model: "other-model" });
      await again({ approvalPolicy: "never" });
      await again({ approvalPolicy: "untrusted" });
      await again({ approvalsReviewer: "auto_review" });
      await again({ config: {} });
      await again({});
      // A client that follows the thread keeps it as it is.
      await ask(watcher, "thread/resume", { threadId, excludeTurns: true, model: "mock-model" });
      await ask(watcher, "thread/resume", { threadId: OTHER });
      await turn(codex, threadId, "two");
    }),
  })),
  differential(
    "resume.in-turn",
    "a thread without clients whose turn runs is resumed with another model",
    () => {
      const answer = gate();
      return {
        model: ({ index }) => (index === 0 ? [answer, reply("one")] : reply("ok")),
        run: watched(async (codex, watcher) => {
          const threadId = await started(codex);
          await held(codex, threadId, answer.reached);
          await ask(codex, "thread/unsubscribe", { threadId });
          await ask(watcher, "thread/resume", { threadId, excludeTurns: true, model: "other-model" });
          const ended = heard(watcher, "turn/completed");
          answer.open();
          await ended;
        }),
      };
    },
  ),
];
