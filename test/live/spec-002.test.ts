import { execFileSync } from "node:child_process";
import { on, once } from "node:events";
import ts from "typescript";
import { expect } from "vitest";
import { CodexClient, type CodexClientOptions } from "codexwright";
import {
  applyPatch,
  exec,
  hang,
  plan,
  realAppServer,
  reply,
  scriptedModel,
  type ModelScript,
} from "@codexwright/testing";
import { exampleText } from "../spec-002/examples.ts";
import { MESSAGES, options, TARGETS, useEverything } from "../spec-002/use.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";

const PINNED = { against: "pinned" } as const;

/** A client with the document's options on a real server with a scripted model. */
async function documented(script: ModelScript) {
  const model = await scriptedModel(script);
  const server = await realAppServer({ model });
  execFileSync("git", ["init", "-q", server.workspace]);
  const config = { "tools.update_plan.enabled": true };
  const given = { ...server.clientOptions, ...options(server.workspace), config } as CodexClientOptions;
  const client = new CodexClient(given);
  const dispose = async (): Promise<void> => {
    await client.disconnect();
    await server[Symbol.asyncDispose]();
    await model.close();
  };
  return { client, server, [Symbol.asyncDispose]: dispose };
}

const REVIEW = JSON.stringify({
  findings: [],
  overall_correctness: "patch is correct",
  overall_explanation: "Fine.",
});

verifies(
  ["spec-002.examples", "spec-002.surface"],
  "a program written for the document's client runs on a real server and calls every method of its class",
  async () => {
    const asked: string[] = [];
    await using live = await documented(({ lastUserText, instructions }) => {
      asked.push(lastUserText);
      if (lastUserText === "wait") return hang();
      return reply(/review/i.test(instructions + lastUserText) ? REVIEW : "hello world");
    });
    const { client, server } = live;
    const nothing: void = await client.connect();
    expect(nothing).toBeUndefined();
    const used = await useEverything(client, server.workspace);
    expect(used).toMatchObject({
      threads: ["true", "true", "false", "false"],
      agentMessage: "hello world",
      items: ["userMessage", "agentMessage hello world"],
      statuses: ["inProgress", "true", "undefined", "true", "interrupted", "completed", "true", "completed"],
      output: "hi\n0",
      events: ["thread string", "started inProgress 0", "diff undefined", "left  0", "left error 0"],
    });
    expect(used.reviewText).toContain("Fine.");
    expect(used.models).toBeGreaterThan(0);
    // A review without a base branch looks for the base branch itself.
    expect(asked.join("\n")).toContain("against its base branch");
    // A custom review without instructions compiles; the server's error names the missing field.
    const [, , , custom] = TARGETS;
    const thread = await client.startThread();
    const refused = client.runReview({ threadId: thread.id, target: custom ?? { type: "custom" } });
    expect(await rejection(refused)).toMatchObject({ code: "invalid_argument" });
    expect(String(await rejection(refused))).toContain("target.instructions");
    expect(MESSAGES).toHaveLength(4);
  },
  PINNED,
);

/** Records which listeners of the example were called, and with which values. */
function recorder(client: CodexClient, calls: Map<string, unknown>) {
  return {
    on(event: Parameters<CodexClient["on"]>[0], listener: (...args: unknown[]) => void): void {
      calls.set(event, undefined);
      client.on(event, (...args: unknown[]) => {
        listener(...args);
        calls.set(event, args[0]);
      });
    },
  };
}

verifies(
  ["spec-002.examples", "spec-002.surface"],
  "the document's events example runs on a real server, and each listener receives the documented value",
  async () => {
    await using live = await documented([
      [plan([{ step: "look", status: "in_progress" }])],
      [exec("echo first; sleep 0.3; echo second")],
      [applyPatch("*** Add File: a.txt\n+a")],
      reply("done"),
    ]);
    const { client } = live;
    await client.connect();
    const { outputText } = ts.transpileModule(exampleText("events.ts.txt"), {
      compilerOptions: { target: ts.ScriptTarget.ES2023, removeComments: true },
    });
    const calls = new Map<string, unknown>();
    // oxlint-disable-next-line typescript/no-implied-eval, no-new-func -- it runs a verbatim copy of an example
    new Function("client", outputText)(recorder(client, calls));
    const thread = await client.startThread();
    const result = await client.runTurn({ threadId: thread.id, input: [{ type: "text", text: "go" }] });
    const turnId = result.turn.id;
    expect(Object.fromEntries(calls)).toMatchObject({
      "turn:started": { id: turnId, status: "inProgress", items: [] },
      "turn:completed": { id: turnId, status: "completed", items: expect.any(Array) },
      "item:started": { type: expect.any(String), id: expect.any(String) },
      "item:completed": { type: "agentMessage", text: "done" },
      "item:agentMessage:delta": { itemId: expect.any(String), text: expect.any(String) },
      "item:commandExecution:outputDelta": { itemId: expect.any(String), output: expect.any(String) },
      "turn:diff:updated": { threadId: thread.id, turnId, diff: expect.stringContaining("+a") },
      "turn:plan:updated": { turnId, plan: [{ step: "look", status: "inProgress" }] },
      "thread:started": { id: thread.id },
    });
    expect(calls.size).toBe(9);
    // The steps of the example `runTurn`: the result contains the turn, its items, the message and the diff.
    expect(result).toMatchObject({
      turn: { status: "completed" },
      agentMessage: "done",
      diff: expect.stringContaining("+a"),
    });
    expect(result.items.map(({ type }) => type)).toContain("commandExecution");
  },
  PINNED,
);

verifies(
  "client.emitter",
  "the helpers of node:events work with a client as with any EventEmitter",
  async () => {
    await using live = await documented(() => reply("hi"));
    const { client } = live;
    await client.connect();
    const items = on(client, "item:completed");
    const thread = await client.startThread();
    const completed = once(client, "turn:completed");
    await client.startTurn({ threadId: thread.id, input: "go" });
    const [turn] = (await completed) as [{ status: string }];
    expect(turn.status).toBe("completed");
    const types: unknown[] = [];
    for await (const [item] of items as AsyncIterableIterator<[{ type: string }]>) {
      types.push(item.type);
      if (item.type === "agentMessage") break;
    }
    expect(types).toEqual(["userMessage", "agentMessage"]);
    expect(client.eventNames()).toEqual([]);
  },
  PINNED,
);
