import fc from "fast-check";
import { expect } from "vitest";
import { CodexAgent, definePrompt, section } from "codexwright/agent";
import type { CodexClientOptions, StartThreadOptions } from "codexwright";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile, settle, type Answers } from "./hostile.ts";

const GRANULAR = {
  granular: {
    sandbox_approval: true,
    rules: true,
    skill_approval: true,
    request_permissions: true,
    mcp_elicitations: true,
  },
};

/** Every approval request, with the answers of a client that accepts and of one that declines. */
const APPROVALS = [
  ["item/commandExecution/requestApproval", {}, { decision: "accept" }, { decision: "decline" }],
  ["item/fileChange/requestApproval", {}, { decision: "accept" }, { decision: "decline" }],
  ["execCommandApproval", { command: ["rm"] }, { decision: "approved" }, { decision: "denied" }],
  ["applyPatchApproval", { fileChanges: {} }, { decision: "approved" }, { decision: "denied" }],
  [
    "mcpServer/elicitation/request",
    {
      mode: "form",
      message: "?",
      _meta: { codex_approval_kind: "mcp_tool_call", persist: ["session", "always"] },
    },
    { action: "accept", _meta: null },
    { action: "decline" },
  ],
  [
    "item/tool/requestUserInput",
    {
      questions: [
        {
          id: "mcp_tool_call_approval_1",
          question: "?",
          options: ["Approve Once", "Approve this Session", "Deny"].map((label) => ({ label })),
        },
      ],
    },
    { answers: { mcp_tool_call_approval_1: { answers: ["Approve Once"] } } },
    { answers: { mcp_tool_call_approval_1: { answers: ["Deny"] } } },
  ],
] as const;

type Server = Awaited<ReturnType<typeof hostile>>;

/** Sends every kind of approval on a thread. Returns true if all were accepted, and false if all were declined. */
async function consents(server: Server, threadId: string): Promise<boolean> {
  const before = server.replies().length;
  for (const [index, [method, params]] of APPROVALS.entries()) {
    const place =
      method.endsWith("Approval") && !method.includes("/")
        ? { conversationId: threadId, callId: "c" }
        : { threadId, turnId: "U", itemId: "I" };
    server.say({ method, id: `${before}-${index}`, params: { ...place, ...params } });
  }
  while (server.replies().length < before + APPROVALS.length) await settle();
  const replies = server
    .replies()
    .slice(before)
    .toSorted((a, b) => String(a["id"]).localeCompare(String(b["id"])));
  const verdicts = replies.map(({ result }, index) => {
    const [, , accepted, declined] = APPROVALS[index] ?? expect.unreachable();
    for (const [verdict, expected] of [
      [true, accepted],
      [false, declined],
    ] as const) {
      if (
        Object.entries(expected).every(([key, value]) =>
          same((result as Record<string, unknown>)[key], value),
        )
      )
        return verdict;
    }
    throw new Error(`an answer that neither accepts nor declines: ${JSON.stringify(result)}`);
  });
  expect(new Set(verdicts).size).toBe(1);
  return verdicts[0] === true;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A server that opens threads with the policy `reports`. If `refuses` is true, it rejects every request. */
function answering(state: { reports: unknown; refuses: boolean; id: string }): Answers {
  return ({ method, params }) => {
    if (state.refuses) return `"error":{"code":-32600,"message":"no"}`;
    if (/^thread\/(start|resume|fork)$/.test(method)) {
      const asked = (params as { threadId?: string }).threadId;
      const id = method === "thread/resume" ? asked : state.id;
      const result = {
        thread: { id, turns: [] },
        ...(state.reports !== undefined && { approvalPolicy: state.reports }),
      };
      return `"result":${JSON.stringify(result)}`;
    }
    if (method === "turn/start") return `"result":{"turn":{"id":"U","items":[],"status":"inProgress"}}`;
    return `"result":{}`;
  };
}

/** A client whose server reports `reports` for the thread T that was started with these options. */
async function started(
  reports: unknown,
  thread: StartThreadOptions = {},
  options: Partial<CodexClientOptions> = {},
) {
  const state = { reports, refuses: false, id: "T" };
  const server = await hostile(options, answering(state));
  await server.codex.startThread(thread);
  return { ...server, state };
}

verifies(
  "security.s19",
  "declines if the server reports `never` but the caller did not request it",
  async () => {
    for (const approvalPolicy of ["on-request", "untrusted", "unlessTrusted", "always", GRANULAR] as const) {
      for (const how of ["thread", "client"] as const) {
        const own = { approvalPolicy } as StartThreadOptions;
        await using server = await started(
          "never",
          how === "thread" ? own : {},
          how === "client" ? (own as object) : {},
        );
        expect(await consents(server, "T")).toBe(false);
      }
    }
  },
);

verifies(
  "security.s19",
  "accepts if the caller requested `never`, unless the server reports another policy",
  async () => {
    for (const reports of ["never", undefined, null]) {
      await using server = await started(reports);
      expect(await consents(server, "T")).toBe(true);
    }
    for (const reports of [
      "on-request",
      "untrusted",
      GRANULAR,
      "Never",
      "",
      ["never"],
      0,
      false,
      { never: true },
    ]) {
      await using server = await started(reports);
      expect(await consents(server, "T")).toBe(false);
    }
  },
);

const POLICY = fc.constantFrom<unknown>("never", "never", "on-request", "untrusted", GRANULAR);
const STEP = fc.oneof(
  fc.record({ kind: fc.constant("turn" as const), policy: POLICY, raw: fc.boolean(), refused: fc.boolean() }),
  fc.record({ kind: fc.constant("update" as const), policy: POLICY, refused: fc.boolean() }),
  fc.record({
    kind: fc.constant("resume" as const),
    policy: fc.option(POLICY),
    reports: fc.option(POLICY),
    refused: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("report" as const), policy: POLICY }),
  fc.record({ kind: fc.constant("noise" as const), policy: POLICY }),
);

verifies(
  "security.s19",
  "accepts if and only if `never` was requested and no other policy was reported",
  async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(
        POLICY,
        fc.option(POLICY),
        fc.array(STEP, { maxLength: 5 }),
        async (first, reports, steps) => {
          await using server = await started(reports, { approvalPolicy: first as never });
          let asked = first;
          let reported: unknown = reports ?? undefined;
          const check = async (): Promise<void> => {
            const expected = asked === "never" && (reported === undefined || reported === "never");
            accepted += Number(expected);
            expect(await consents(server, "T")).toBe(expected);
            for (const stranger of ["other", "__proto__", ""])
              expect(await consents(server, stranger)).toBe(false);
          };
          await check();
          for (const step of steps) {
            server.state.refuses = "refused" in step && step.refused;
            const policy = step.policy as never;
            // A rejected request for `never` changes nothing. A rejected request for another policy still counts.
            if (
              !(server.state.refuses && policy === "never") &&
              !["report", "noise"].includes(step.kind) &&
              policy !== null
            )
              asked = policy;
            if (step.kind === "turn" && step.raw) {
              await server.codex
                .request("turn/start", { threadId: "T", input: [], approvalPolicy: policy })
                .catch(() => {});
            } else if (step.kind === "turn") {
              const turn = server.codex.thread("T").turn("go", { approvalPolicy: policy });
              turn.completed.catch(() => {});
              await turn.started.catch(() => {});
              server.say({
                method: "turn/completed",
                params: { threadId: "T", turn: { id: "U", items: [], status: "failed" } },
              });
              await turn.completed.catch(() => {});
            } else if (step.kind === "update") {
              await server.codex
                .request("thread/settings/update", { threadId: "T", approvalPolicy: policy })
                .catch(() => {});
            } else if (step.kind === "resume") {
              server.state.reports = step.reports ?? undefined;
              await server.codex.resumeThread("T", { approvalPolicy: policy }).catch(() => {});
              if (!step.refused && step.reports !== null) reported = step.reports;
            } else if (step.kind === "report") {
              server.say({
                method: "thread/settings/updated",
                params: { threadId: "T", threadSettings: { approvalPolicy: policy } },
              });
              reported = policy;
            } else {
              for (const threadId of ["other", "__proto__"])
                server.say({
                  method: "thread/settings/updated",
                  params: { threadId, threadSettings: { approvalPolicy: policy } },
                });
              for (const threadSettings of [null, {}, { approvalPolicy: null }, [], "never"])
                server.say({ method: "thread/settings/updated", params: { threadId: "T", threadSettings } });
            }
            server.state.refuses = false;
            await check();
          }
        },
      ),
      { seed: 12, numRuns: 60 },
    );
    expect(accepted).toBeGreaterThan(20);
  },
  { timeoutMs: 60_000 },
);

verifies("security.s19", "declines on threads that were opened without a request for `never`", async () => {
  const state = { reports: "never" as unknown, refuses: false, id: "T" };
  await using server = await hostile({}, answering(state));
  await server.codex.resumeThread("R");
  expect(await consents(server, "R")).toBe(false);
  await server.codex.request("thread/start", {});
  expect(await consents(server, "T")).toBe(false);
  state.id = "N";
  await server.codex.request("thread/start", { approvalPolicy: "never" });
  expect(await consents(server, "N")).toBe(true);
  state.id = "F";
  await server.codex.forkThread("N");
  expect(await consents(server, "F")).toBe(false);
  expect(await consents(server, "N")).toBe(true);
  state.id = "G";
  await server.codex.forkThread("R", { approvalPolicy: "never" });
  expect(await consents(server, "G")).toBe(true);
  // The request was for the fork, not for the original thread.
  expect(await consents(server, "R")).toBe(false);
  // A thread that was started with another policy keeps it if the server uses its id for another thread.
  state.id = "O";
  await server.codex.startThread({ approvalPolicy: "on-request" });
  await server.codex.startThread({ approvalPolicy: "never" });
  expect(await consents(server, "O")).toBe(false);
  server.say({ method: "thread/deleted", params: { threadId: "N" } });
  expect(await consents(server, "N")).toBe(false);
});

verifies("security.s19", "an answer for another thread transfers no policy to that thread", async () => {
  /** Ways to request `never` on the thread A. */
  const wishes = [
    ["turn/start", { threadId: "A", input: [] }],
    ["thread/settings/update", { threadId: "A" }],
    ["thread/resume", { threadId: "A" }],
    ["thread/fork", { threadId: "A" }],
    ["thread/start", {}],
    ["review/start", { threadId: "A", target: {} }],
  ] as const;
  /** Ways to use the thread B without requesting a policy. */
  const works = [
    ["thread/start", { approvalPolicy: null }],
    ["thread/resume", { threadId: "B" }],
    ["thread/fork", { threadId: "C" }],
    ["turn/start", { threadId: "B", input: [] }],
  ] as const;
  for (const [method, params] of wishes) {
    for (const [work, of] of works) {
      await using server = await hostile({}, () => {
        const thread = { id: "B", turns: [] };
        const result = {
          thread,
          turn: { id: "U", items: [] },
          conversationId: "B",
          approvalPolicy: "never",
        };
        return `"result":${JSON.stringify(result)}`;
      });
      const request = server.codex.request as (name: string, given: object) => Promise<unknown>;
      await request(work, of);
      await request(method, { ...params, approvalPolicy: "never" });
      expect(await consents(server, "B")).toBe(false);
    }
  }
});

verifies("security.s19", "ignores a request for `never` if a newer request follows it", async () => {
  const held: (() => void)[] = [];
  await using server = await started("never", { approvalPolicy: "on-request" });
  server.answer(({ id }) => {
    held.push(() => server.say(`{"id":${id},"result":{}}`));
    return undefined;
  });
  const wish = (approvalPolicy: "never" | "untrusted"): Promise<unknown> =>
    server.codex.request("thread/settings/update", { threadId: "T", approvalPolicy });
  const wishes = [wish("never"), wish("untrusted")];
  expect(await consents(server, "T")).toBe(false);
  for (const answer of held.splice(0)) answer();
  await Promise.all(wishes);
  expect(await consents(server, "T")).toBe(false);
});

verifies("security.s19", "many reports on other threads do not affect the caller's thread", async () => {
  await using server = await started("never");
  await server.codex.startThread({ approvalPolicy: "never" });
  for (let each = 0; each < 20_000; each++) {
    const threadSettings = { approvalPolicy: "on-request" };
    server.say({ method: "thread/settings/updated", params: { threadId: `S${each}`, threadSettings } });
  }
  expect(await consents(server, "T")).toBe(true);
});

verifies("security.s19", "after a reconnect, the new report and the earlier request count", async () => {
  await using server = await started("never", {}, { reconnect: { attempts: 10 } });
  const thread = server.codex.thread("T");
  for (const [reports, expected] of [
    ["never", true],
    ["on-request", false],
    [undefined, false],
    ["never", true],
  ] as const) {
    server.state.reports = reports;
    const back = new Promise<unknown>((resolve) => server.codex.once("reconnected", resolve));
    server.drop();
    await back;
    expect(await consents(server, thread.id)).toBe(expected);
  }
});

const go = definePrompt({ id: "go", sections: [section({ key: "a", title: "A", body: "Go." })] });

/** Returns an agent run's decisions on threads when the server reports this policy for the thread that it opened. */
async function agentConsents(
  reports: unknown,
  options: Partial<Parameters<typeof CodexAgent.open>[0]>,
): Promise<{ own: boolean; other: boolean }> {
  const server = await hostile({}, answering({ reports, refuses: false, id: "T" }));
  await using agent = await CodexAgent.open({ connect: async () => server.codex, ...options });
  const run = agent.run(go);
  run.result.catch(() => {});
  await until(() => server.sent.some(({ method }) => method === "turn/start"));
  await settle();
  const agentCall = { type: "collabAgentToolCall", id: "A", receiverThreadIds: ["child"] };
  server.say({ method: "item/started", params: { threadId: "T", turnId: "U", item: agentCall } });
  const own = await consents(server, "T");
  const other = await consents(server, "child");
  server.say({
    method: "turn/completed",
    params: { threadId: "T", turn: { id: "U", items: [], status: "failed" } },
  });
  await run.result.catch(() => {});
  return { own, other };
}

verifies("security.s19", "agent runs follow the same rule", async () => {
  expect(await agentConsents("never", {})).toEqual({ own: true, other: false });
  expect(await agentConsents("on-request", {})).toEqual({ own: false, other: false });
  expect(await agentConsents("never", { approvalPolicy: "untrusted" })).toEqual({ own: false, other: false });
  const silent = (): never => undefined as never;
  expect(await agentConsents("never", { approvalPolicy: "never", onApproval: silent })).toEqual({
    own: false,
    other: false,
  });
});
