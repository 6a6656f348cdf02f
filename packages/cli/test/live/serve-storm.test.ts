import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { exec, reply } from "@codexwright/testing";
import { websocket } from "codexwright/websocket";
import { tcpProxy } from "@codexwright/test-support/tcp-proxy";
import type { LineClient } from "@codexwright/test-support/line-client";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { serveWorld, type ServeWorld } from "./serve-world.ts";

const CLIENTS = 6;

/**
 * Runs two turns on a client, and disconnects the client when the server asks it something in the second turn. Returns
 * the thread's id.
 */
async function cutOff(world: ServeWorld, name: string, observer: LineClient): Promise<string> {
  await using proxy = await tcpProxy(world.url);
  let asked = 0;
  await using codex = await CodexClient.connect({
    transport: websocket(proxy.url, { token: world.token }),
    cwd: world.workspace,
    sandbox: "danger-full-access",
    approvalPolicy: "untrusted",
    reconnect: { attempts: 10 },
    onApproval: () => {
      asked++;
      if (asked !== 2) return "accept";
      proxy.cut();
      return new Promise<never>(() => {});
    },
  });
  const thread = await codex.startThread();
  await thread.run(`${name}-first`);
  await observer.ask("thread/resume", { threadId: thread.id, excludeTurns: true });
  const over = deferred();
  codex.on("turn:completed", () => over.resolve());
  const lost = await rejection(thread.turn(`${name}-second`).completed);
  expect(lost).toMatchObject({ code: "turn_interrupted", recovered: true });
  await over.promise;
  expect(asked).toBe(3);
  return thread.id;
}

/** The events that were received about a thread's turns and items, with their counts. */
function counted(observer: LineClient, threadId: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method, params } of observer.messages) {
    const { threadId: of, item } = (params ?? {}) as { threadId?: string; item?: { type: string } };
    if (of !== threadId || !/^(turn|item)\/(started|completed)$/.test(method ?? "")) continue;
    const what = item ? `${method} ${item.type}` : `${method}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

verifies(
  ["cli.serve.dropped", "cli.serve.clients"],
  "clients that are disconnected during a question are asked again, and an observer receives each event once",
  async () => {
    await using world = await serveWorld((request) => {
      const callId = request.lastUserText;
      const isDone = request.toolOutputs[callId] !== undefined;
      return isDone ? reply(`Did ${callId}.`, { deltas: 4 }) : exec(`touch ${callId}`, { callId });
    });
    const observer = await world.lines();
    const names = Array.from({ length: CLIENTS }, (_none, index) => `c${index}`);
    const threads = await Promise.all(names.map((name) => cutOff(world, name, observer)));
    for (const name of names) expect(existsSync(path.join(world.workspace, `${name}-second`))).toBe(true);
    await observer.told("turn/completed", CLIENTS);
    for (const threadId of threads) {
      expect(counted(observer, threadId)).toEqual({
        "turn/started": 1,
        "item/started userMessage": 1,
        "item/completed userMessage": 1,
        "item/started commandExecution": 1,
        "item/completed commandExecution": 1,
        "item/started agentMessage": 1,
        "item/completed agentMessage": 1,
        "turn/completed": 1,
      });
    }
  },
  { against: "pinned" },
);
