import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { gate, reply } from "@codexwright/testing";
import type { LineClient } from "@codexwright/test-support/line-client";
import { realtimeUpstream } from "@codexwright/test-support/realtime-upstream";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { commandLine, serveWorld, type ServeWorld } from "./serve-world.ts";

const PINNED = { against: "pinned" } as const;

/** The number of processes of this world with this argument. */
function running(world: ServeWorld, argument: string): number {
  return world.upstream().filter((pid) => commandLine(pid).includes(argument)).length;
}

async function result(client: LineClient, method: string, params: object): Promise<unknown> {
  const { error, result: given } = await client.ask(method, params);
  expect(error).toBeUndefined();
  return given;
}

verifies(
  "cli.serve.ids",
  "when a client leaves, ends only the commands and processes that it started, with or without an id",
  async () => {
    await using world = await serveWorld([]);
    const [first, second] = [await world.lines(), await world.lines()];
    const endless = (seconds: string): object => ({
      command: ["sleep", seconds],
      disableTimeout: true,
      sandboxPolicy: { type: "dangerFullAccess" },
    });
    void first.ask("command/exec", endless("10001"));
    void first.ask("command/exec", { ...endless("10002"), processId: "p" });
    void second.ask("command/exec", { ...endless("10003"), processId: "p" });
    const spawn = { cwd: world.workspace, processHandle: "h" };
    await result(first, "process/spawn", { ...spawn, command: ["sleep", "10004"] });
    await result(second, "process/spawn", { ...spawn, command: ["sleep", "10005"] });
    const all = ["10001", "10002", "10003", "10004", "10005"];
    await until(() => all.every((seconds) => running(world, seconds) > 0));
    const quick = { command: ["echo", "hi"], sandboxPolicy: { type: "dangerFullAccess" } };
    expect(await result(first, "command/exec", quick)).toMatchObject({ exitCode: 0, stdout: "hi\n" });

    await first.hangUp();
    await until(() => ["10001", "10002", "10004"].every((seconds) => running(world, seconds) === 0));
    expect(running(world, "10003") > 0 && running(world, "10005") > 0).toBe(true);
    await result(second, "command/exec/terminate", { processId: "p" });
    await result(second, "process/kill", { processHandle: "h" });
    expect((await second.told("process/exited")).params).toMatchObject({ processHandle: "h" });
  },
  PINNED,
);

verifies(
  "cli.serve.ids",
  "two clients watch and search under the same id; each receives its own events, and a client that leaves does not affect the other",
  async () => {
    await using world = await serveWorld([]);
    const clients = [await world.lines(), await world.lines()] as const;
    const files = ["watched-0", "watched-1"].map((name) => path.join(world.workspace, name)) as [
      string,
      string,
    ];
    for (const [index, client] of clients.entries()) {
      await writeFile(files[index] ?? "", "old");
      await result(client, "fs/watch", { path: files[index], watchId: "w" });
      await result(client, "fuzzyFileSearch/sessionStart", { sessionId: "s", roots: [world.workspace] });
      await result(client, "fuzzyFileSearch/sessionUpdate", { sessionId: "s", query: `watched-${index}` });
    }
    const [first, second] = clients;
    await writeFile(files[0], "new");
    expect((await first.told("fs/changed")).params).toMatchObject({ watchId: "w", changedPaths: [files[0]] });
    // The first event may not belong to a query yet.
    const queries = (client: LineClient): readonly unknown[] =>
      client.messages
        .filter(({ method }) => method === "fuzzyFileSearch/sessionUpdated")
        .map(({ params }) => params as { sessionId: string; query: string })
        .flatMap(({ sessionId, query }) => (sessionId === "s" && query !== "" ? [query] : []));
    for (const [index, client] of clients.entries()) {
      await client.until(() => queries(client).length > 0);
      expect(new Set(queries(client))).toEqual(new Set([`watched-${index}`]));
    }
    await first.hangUp();
    // The ids of the client that left are free again, and those of the other client still work.
    const third = await world.lines();
    await result(third, "fs/watch", { path: files[0], watchId: "w" });
    await writeFile(files[1], "new");
    expect((await second.told("fs/changed")).params).toMatchObject({ changedPaths: [files[1]] });
    await writeFile(files[0], "newer");
    expect((await third.told("fs/changed")).params).toMatchObject({ watchId: "w", changedPaths: [files[0]] });
    await result(second, "fuzzyFileSearch/sessionStop", { sessionId: "s" });
    const heard = second.messages.filter(({ method }) => method === "fs/changed");
    expect(
      new Set(heard.flatMap(({ params }) => (params as { changedPaths: string[] }).changedPaths)),
    ).toEqual(new Set([files[1]]));
  },
  PINNED,
);

verifies(
  "cli.serve.ids",
  "cancels a `thread/sample` request by the id that its own client used, or when that client leaves",
  async () => {
    const held = gate();
    await using world = await serveWorld((request) =>
      request.lastUserText.includes("sample") ? [held, reply("Never.")] : reply("Hello."),
    );
    const codex = await world.connect();
    const thread = await codex.startThread();
    const { turn } = await thread.run("hello");
    const client = await world.lines();
    await result(client, "thread/resume", { threadId: thread.id, excludeTurns: true });
    const params = { threadId: thread.id, expectedTurnId: turn.id, prompt: "sample" };
    client.write({ id: "sample", method: "thread/sample", params });
    await held.reached;
    await result(client, "thread/sample/cancel", { requestId: "sample" });
    expect((await client.answer("sample")).error).toBeDefined();
    expect((await thread.run("hello again")).agentMessage).toBe("Hello.");
  },
  PINNED,
);

verifies(
  "cli.serve.ids",
  "ends a realtime conversation when the client that started it leaves",
  async () => {
    using speech = await realtimeUpstream(() => []);
    await using world = await serveWorld(() => reply("Hello."), { config: speech.config });
    const [first, second] = [await world.lines(), await world.lines()];
    const { thread } = (await result(first, "thread/start", {})) as { thread: { id: string } };
    const input = [{ type: "text", text: "hello", text_elements: [] }];
    await result(first, "turn/start", { threadId: thread.id, input });
    await first.told("turn/completed");
    await result(second, "thread/resume", { threadId: thread.id, excludeTurns: true });
    await result(first, "thread/realtime/start", {
      threadId: thread.id,
      outputModality: "text",
      prompt: "Hi.",
    });
    await second.told("thread/realtime/started");
    await first.hangUp();
    expect((await second.told("thread/realtime/closed")).params).toMatchObject({ threadId: thread.id });
  },
  PINNED,
);
