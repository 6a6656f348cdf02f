import fc from "fast-check";
import { expect } from "vitest";
import { CodexClient, type CodexClientOptions, type StartThreadOptions, type Thread } from "codexwright";
import { fakeAppServer, reply, wireScript, type WireStep } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeClient } from "../fake-client.ts";
import { FAKE } from "../fake-turn.ts";

type Method = "thread/start" | "thread/resume" | "thread/fork";
type Given = Pick<StartThreadOptions, "sandbox" | "permissions" | "approvalPolicy">;

const METHODS: readonly Method[] = ["thread/start", "thread/resume", "thread/fork"];

async function open(codex: CodexClient, method: Method, options: Given): Promise<Thread> {
  if (method === "thread/start") return await codex.startThread(options);
  if (method === "thread/resume") return await codex.resumeThread("t1", options);
  return await codex.forkThread("t1", options);
}

/** Returns the params that are sent for these options, with these client defaults. */
async function sent(method: Method, options: Given, client: CodexClientOptions = {}): Promise<object> {
  const fake = wireScript({ script: [{ on: method, result: { thread: { id: "t1" } } }] });
  await using codex = await CodexClient.connect({
    ...client,
    transport: fake.transport,
  } as CodexClientOptions);
  await open(codex, method, options);
  const { threadId: _, ...params } = (fake.received.at(-1)?.params ?? {}) as { threadId?: string };
  return params;
}

verifies(
  "thread.confinement",
  "permissions replace the default sandbox and the client's sandbox, for start, resume and fork",
  async () => {
    const permissions = ":read-only";
    for (const method of METHODS) {
      for (const client of [{}, { sandbox: "workspace-write" }, { sandbox: null }] as CodexClientOptions[]) {
        for (const options of [{ permissions }, { permissions, sandbox: null }]) {
          const params = await sent(method, options, client);
          expect(params).toMatchObject({ permissions });
          expect(params).not.toHaveProperty("sandbox");
        }
      }
    }
  },
  FAKE,
);

verifies(
  "thread.confinement",
  "an option that is null is not sent, for a thread or as the client's default; a thread can override that default",
  async () => {
    const none = { sandbox: null, approvalPolicy: null };
    const some = { sandbox: "read-only", approvalPolicy: "on-request" } as const;
    for (const method of METHODS) {
      expect(await sent(method, none)).toEqual({});
      expect(await sent(method, none, some)).toEqual({});
      expect(await sent(method, {}, none)).toEqual({});
      expect(await sent(method, some, none)).toEqual(some);
      expect(await sent(method, { sandbox: null }, some)).toEqual({ approvalPolicy: "on-request" });
      expect(await sent(method, { approvalPolicy: null }, some)).toEqual({ sandbox: "read-only" });
    }
  },
  FAKE,
);

verifies(
  "thread.confinement",
  "rejects a sandbox together with permissions before anything is sent, also for a turn",
  async () => {
    await using server = await fakeClient([]);
    const { codex, sent: requests } = server;
    const both = { sandbox: "read-only", permissions: ":workspace" } as const;
    for (const method of METHODS)
      expect(await rejection(open(codex, method, both))).toMatchObject({ code: "invalid_argument" });
    const sandboxPolicy = { type: "readOnly", networkAccess: false } as const;
    const turn = codex.thread("t1").run("go", { sandboxPolicy, permissions: ":workspace" });
    expect(await rejection(turn)).toMatchObject({ code: "invalid_argument" });
    expect(requests()).toEqual([]);
  },
  FAKE,
);

const opened = (method: Method, policy?: string): WireStep => ({
  on: method,
  result: { thread: { id: "t1", turns: [] }, ...(policy !== undefined && { approvalPolicy: policy }) },
});
const approval: WireStep = {
  send: {
    id: 70,
    method: "item/commandExecution/requestApproval",
    params: { threadId: "t1", turnId: "u1", itemId: "i1", command: "ls", startedAtMs: 1 },
  },
};

verifies(
  "thread.confinement",
  "null declines approvals even if the server reports `never`, and withdraws an earlier policy",
  async () => {
    const start = opened("thread/start", "never");
    const resume = opened("thread/resume", "never");
    const consents = async (script: WireStep[], act: (codex: CodexClient) => Promise<unknown>) => {
      const fake = wireScript({
        script: [...script, approval, { answered: 70 }, { on: "account/logout", result: {} }],
      });
      await using codex = await CodexClient.connect({ transport: fake.transport });
      await act(codex);
      await codex.request("account/logout", undefined);
      return fake.received.find(({ id, method }) => id === 70 && method === undefined)?.result;
    };
    // Without null, the client accepts the approval after the same answers of the server.
    expect(await consents([start], (codex) => codex.startThread())).toEqual({ decision: "accept" });
    const none = { approvalPolicy: null };
    expect(await consents([start], (codex) => codex.startThread(none))).toEqual({ decision: "decline" });
    const withdrawn = await consents([start, resume], async (codex) => {
      await codex.startThread();
      await codex.resumeThread("t1", none);
    });
    expect(withdrawn).toEqual({ decision: "decline" });
  },
  FAKE,
);

verifies(
  "thread.confinement",
  "a resume repeats the policy that was requested last, unless the server reported another one",
  async () => {
    const again = async (...script: WireStep[]) => {
      const fake = wireScript({ script: [...script, opened("thread/resume")] });
      await using codex = await CodexClient.connect({ transport: fake.transport });
      await codex.startThread();
      if (script.some((step) => "on" in step && step.on === "turn/start"))
        await codex.thread("t1").turn("go", { approvalPolicy: "untrusted" }).started;
      await codex.resumeThread("t1");
      return ((fake.received.at(-1)?.params ?? {}) as { approvalPolicy?: string }).approvalPolicy;
    };
    const turn: WireStep = { on: "turn/start", result: { turn: { id: "u1" } } };
    expect(await again(opened("thread/start"))).toBe("never");
    expect(await again(opened("thread/start", "never"))).toBe("never");
    expect(await again(opened("thread/start", "on-request"))).toBeUndefined();
    expect(await again(opened("thread/start"), turn)).toBe("untrusted");
  },
  FAKE,
);

/** One operation of a caller on a thread. */
type Step =
  | { readonly kind: "unsubscribe" }
  | { readonly kind: "reload" | "fork" | "turn"; readonly options: Given }
  | { readonly kind: "reopen"; readonly options: Given };

const choice: fc.Arbitrary<Given> = fc.oneof(
  fc.constant({}),
  // danger-full-access is left out, because the server restores it itself if nothing is sent.
  fc.record({ sandbox: fc.constantFrom(null, "read-only", "workspace-write") }),
  fc.record({ permissions: fc.constantFrom(":read-only", ":workspace") }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ kind: "unsubscribe" } as const),
  fc.record({ kind: fc.constantFrom("reload", "fork", "turn", "reopen"), options: choice }),
);

const POLICIES = {
  "read-only": "readOnly",
  "workspace-write": "workspaceWrite",
} as const;

verifies(
  "thread.confinement",
  "after any sequence of resumes, forks and turns, the server uses the last choice and rejects nothing",
  async () => {
    const fake = fakeAppServer({ model: () => reply("Hello"), sandbox: "read-only" });
    await using codex = await CodexClient.connect({ transport: fake.transport });
    const confinement = async (threadId: string) => {
      const { sandbox, activePermissionProfile } = await codex.request("thread/resume", { threadId });
      return { sandbox: sandbox.type, permissions: activePermissionProfile?.id };
    };
    const plain = await codex.request("thread/start", {});
    const configured = {
      sandbox: plain.sandbox.type,
      permissions: plain.activePermissionProfile?.id,
    };
    type Expected = { sandbox: string; permissions: string | undefined };
    const chosen = ({ sandbox, permissions }: Given, before: Expected): Expected => {
      if (permissions === ":read-only") return { sandbox: "readOnly", permissions };
      if (permissions) return { sandbox: "workspaceWrite", permissions };
      if (sandbox === null) return configured;
      const mode = sandbox as keyof typeof POLICIES | undefined;
      return mode ? { sandbox: POLICIES[mode], permissions: undefined } : before;
    };
    await fc.assert(
      fc.asyncProperty(choice, fc.array(step, { maxLength: 5 }), async (start, steps) => {
        let thread = await codex.startThread(start);
        let expected = chosen(start, { sandbox: "workspaceWrite", permissions: undefined });
        await thread.run("first");
        for (const each of steps) {
          if (each.kind === "unsubscribe") await thread.unsubscribe();
          else if (each.kind === "fork") {
            thread = await thread.fork(each.options);
            expected = chosen(each.options, expected);
          } else if (each.kind === "turn") {
            // A turn cannot select the user's configuration, and its sandbox option has another name.
            const { sandbox, permissions } = each.options;
            const mode = sandbox as keyof typeof POLICIES | null | undefined;
            const policy = mode ? { sandboxPolicy: { mode } } : {};
            await thread.run("more", permissions ? { permissions } : policy);
            expected = chosen(mode === null ? {} : each.options, expected);
          } else {
            await thread.archive();
            await thread.unarchive();
            if (each.kind === "reopen") {
              thread = await codex.resumeThread(thread.id, each.options);
              expected = chosen(each.options, expected);
            }
          }
          await thread.run("again");
        }
        expect(await confinement(thread.id)).toEqual(expected);
      }),
      { seed: 7, numRuns: 60 },
    );
    await codex.disconnect();
    await fake[Symbol.asyncDispose]();
  },
  FAKE,
);

verifies(
  "thread.methods",
  "an ephemeral fork requests no turns from 0.155 on, because the server refuses to send them",
  async () => {
    const forked = async (version: string, options: { ephemeral?: boolean; excludeTurns?: boolean }) => {
      await using server = await fakeClient([opened("thread/fork")], version);
      await server.codex.forkThread("t1", options);
      return server.sent().at(-1)?.params;
    };
    const threadId = "t1";
    const ephemeral = true;
    expect(await forked("0.166.0", { ephemeral })).toEqual({ threadId, ephemeral, excludeTurns: true });
    expect(await forked("0.155.0", { ephemeral })).toEqual({ threadId, ephemeral, excludeTurns: true });
    expect(await forked("0.145.0", { ephemeral })).toEqual({ threadId, ephemeral });
    expect(await forked("0.166.0", {})).toEqual({ threadId });
    expect(await forked("0.166.0", { ephemeral, excludeTurns: false })).toEqual({
      threadId,
      ephemeral,
      excludeTurns: false,
    });
    const fake = fakeAppServer({ model: () => reply("Hello") });
    await using codex = await CodexClient.connect({ transport: fake.transport });
    const thread = await codex.startThread();
    await thread.run("first");
    const fork = await thread.fork({ ephemeral });
    expect((await fork.run("again")).agentMessage).toBe("Hello");
    await codex.disconnect();
    await fake[Symbol.asyncDispose]();
  },
  FAKE,
);
