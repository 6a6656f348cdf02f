import { expect } from "vitest";
import type { CodexClient, CodexClientOptions, StartThreadOptions, Thread } from "codexwright";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile, settle, type Answers } from "./hostile.ts";

/**
 * A server that applies the policy that a client requests, as the real server does if there are no sub-agents and no
 * other clients.
 */
const OBEYS: Answers = ({ method, params }) => {
  const { threadId = "T", approvalPolicy = null } = params as { threadId?: string; approvalPolicy?: unknown };
  if (/^thread\/(start|resume|fork)$/.test(method)) {
    const id = method === "thread/fork" ? "F" : threadId;
    return `"result":${JSON.stringify({ thread: { id, turns: [] }, approvalPolicy })}`;
  }
  if (method === "review/start") return `"result":{"turn":{"id":"R"},"reviewThreadId":"${threadId}"}`;
  if (method === "turn/start") return `"result":{"turn":{"id":"U","items":[],"status":"inProgress"}}`;
  return `"result":{}`;
};

type Server = Awaited<ReturnType<typeof hostile>>;

/** Returns whether the client accepts a command on the thread. */
async function accepts(server: Server, threadId: string): Promise<boolean> {
  const before = server.replies().length;
  const params = { threadId, turnId: "U", itemId: "I" };
  server.say({ id: `ask-${before}`, method: "item/commandExecution/requestApproval", params });
  while (server.replies().length === before) await settle();
  const { result } = server.replies()[before] ?? {};
  return (result as { decision: string }).decision === "accept";
}

async function turnOn(server: Server, thread: Thread): Promise<void> {
  const turn = thread.turn("go");
  await turn.started;
  server.say({ method: "turn/completed", params: { threadId: "T", turn: { id: "U", status: "completed" } } });
  await turn.completed;
}

/** Actions after which the client itself resumes or creates a thread. Each returns the thread to check approvals on. */
const WAYS: Readonly<Record<string, (server: Server, thread: Thread) => Promise<string>>> = {
  unsubscribe: async (server, thread) => {
    await thread.unsubscribe();
    await turnOn(server, thread);
    return "T";
  },
  "archive and unarchive": async (server, thread) => {
    await thread.archive();
    await thread.unarchive();
    await turnOn(server, thread);
    return "T";
  },
  closed: async (server, thread) => {
    server.say({ method: "thread/closed", params: { threadId: "T" } });
    await turnOn(server, thread);
    return "T";
  },
  reconnect: async (server) => {
    server.drop();
    await server.codex.request("account/logout", undefined);
    return "T";
  },
  "resumeThread without options": async (server) => {
    await server.codex.resumeThread("T");
    return "T";
  },
  "detached review": async (server) => {
    await server.codex.startReview({
      threadId: "T",
      delivery: "detached",
      target: { type: "uncommittedChanges" },
    });
    return "F";
  },
};

/** Ways in which the caller requests a policy for the thread T. */
const WISHES: Readonly<Record<string, (codex: CodexClient, wish: StartThreadOptions) => Promise<Thread>>> = {
  start: (codex, wish) => codex.startThread(wish),
  resume: async (codex, wish) => await codex.resumeThread("T", wish),
  "start, then resume": async (codex, wish) => {
    await codex.startThread();
    return await codex.resumeThread("T", wish);
  },
};

const CLIENT = { approvalPolicy: "never", reconnect: {} } as Partial<CodexClientOptions>;

verifies(
  "security.s19",
  "a policy that the caller set on one thread survives every resume, even if the client's options have `never`",
  async () => {
    for (const [way, go] of Object.entries(WAYS)) {
      for (const [how, open] of Object.entries(WISHES)) {
        for (const approvalPolicy of [null, "on-request", "untrusted"] as const) {
          await using server = await hostile(CLIENT, OBEYS);
          const thread = await open(server.codex, { approvalPolicy });
          expect(await accepts(server, "T")).toBe(false);
          const id = await go(server, thread);
          expect([way, how, approvalPolicy, await accepts(server, id)]).toEqual([
            way,
            how,
            approvalPolicy,
            false,
          ]);
        }
      }
      // If the caller set no policy, the client's option counts. So the approvals above are declined only because of
      // the caller's policy.
      await using server = await hostile(CLIENT, OBEYS);
      const id = await go(server, await server.codex.startThread());
      expect([way, await accepts(server, id)]).toEqual([way, true]);
    }
  },
);

verifies(
  "security.s19",
  "a resume that the caller did not request keeps a policy that another client has set",
  async () => {
    for (const [way, go] of Object.entries(WAYS)) {
      for (const approvalPolicy of ["never", "on-request", undefined] as const) {
        await using server = await hostile(CLIENT, OBEYS);
        const thread = await server.codex.startThread({ approvalPolicy });
        const threadSettings = { approvalPolicy: "untrusted" };
        server.say({ method: "thread/settings/updated", params: { threadId: "T", threadSettings } });
        const id = await go(server, thread);
        expect([way, approvalPolicy, await accepts(server, id)]).toEqual([way, approvalPolicy, false]);
      }
    }
  },
);
