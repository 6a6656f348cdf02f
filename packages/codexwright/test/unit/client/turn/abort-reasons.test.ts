import type { CodexClient } from "codexwright";
import { stdio } from "codexwright/stdio";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { Workspace } from "codexwright/workspace";
import { expect, test } from "vitest";
import { openTransport } from "../../../../src/client/connection/recovery/open-transport.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile, openAnswers, settle, type Answers } from "../../security/hostile.ts";

type Call = (codex: CodexClient, signal: AbortSignal) => Promise<unknown>;

/** Reads an iterable to its end. */
async function drained(iterable: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of iterable);
}

/** All waiting calls that take a signal, on a server that only starts threads and turns. */
const CALLS: Readonly<Record<string, Call>> = {
  "a request": (codex, signal) => codex.request("model/list", {}, { signal }),
  "the result of a turn": async (codex, signal) => (await codex.startThread()).run("go", { signal }),
  "the completion of a turn": async (codex, signal) =>
    (await codex.startThread()).turn("go", { signal }).completed,
  "the events of a turn": async (codex, signal) =>
    drained((await codex.startThread()).turn("go", { signal })),
  "a queued turn": async (codex, signal) => {
    const thread = await codex.startThread();
    thread.turn("first").completed.catch(() => {});
    const { turn } = await thread.send("second", { mode: "queue", signal });
    return await turn.completed;
  },
  "a review": async (codex, signal) =>
    codex.runReview({
      threadId: (await codex.startThread()).id,
      target: { type: "uncommittedChanges" },
      signal,
    }),
  "a detached review": async (codex, signal) =>
    codex.runReview({
      threadId: (await codex.startThread()).id,
      target: { type: "uncommittedChanges" },
      delivery: "detached",
      signal,
    }),
  "a command": (codex, signal) => codex.exec(["sleep", "1"], { signal }).result,
  "a command's output": (codex, signal) => drained(codex.exec(["sleep", "1"], { signal }).stdout),
  "a watch": (codex, signal) => drained(codex.watch("/x", { signal })),
  "the start of a watch": (codex, signal) => codex.watch("/x", { signal }).ready,
  "reading a file": (codex, signal) => codex.fs.readFile("/x", { signal }),
  "a search": (codex, signal) => codex.search("x", { roots: ["/"], signal }),
  "the start of a search session": (codex, signal) => codex.searchSession({ roots: ["/"], signal }),
  "a login by key": (codex, signal) => codex.login.apiKey("sk-1", { signal }),
  "a login by tokens": (codex, signal) =>
    codex.login.tokens({ accessToken: "a", chatgptAccountId: "b" }, { signal }),
  "a login in the browser": (codex, signal) => codex.login.chatgpt({ signal }),
  "a login by device code": (codex, signal) => codex.login.deviceCode({ signal }),
  "a login at an MCP server": (codex, signal) => codex.mcp.login("m", { signal }),
  "a realtime conversation": async (codex, signal) => (await codex.startThread()).realtime({ signal }),
};

const REASONS: readonly unknown[] = [new Error("enough"), "text", { some: "object" }, null, 0];

/** The server starts threads, turns and reviews, and does not list its methods. */
const silent: Answers = (request) => {
  if (request.method === "review/start") return openAnswers({ ...request, method: "turn/start" });
  const known = ["thread/start", "turn/start", "codexwright/methods"].includes(request.method);
  return known ? openAnswers(request) : undefined;
};

/** A server that starts threads and turns, interrupts turns on request, and answers nothing else. */
async function slowServer(more: Answers = silent) {
  let command: number | undefined;
  const server = await hostile({}, (request) => {
    if (request.method === "command/exec") command = request.id;
    if (request.method === "command/exec/terminate")
      server.say({ id: command, result: { exitCode: 137, stdout: "", stderr: "" } });
    if (["turn/start", "review/start"].includes(request.method))
      queueMicrotask(() => tell("turn/started", "inProgress"));
    if (request.method === "turn/interrupt") tell("turn/completed", "interrupted");
    return more(request);
  });
  const tell = (method: string, status: string): void =>
    server.say({ method, params: { threadId: "T", turn: { id: "U", items: [], status, error: null } } });
  return server;
}

for (const [what, call] of Object.entries(CALLS)) {
  verifies("rpc.abort.reason", `the abort reason is the cause when ${what} is aborted`, async () => {
    for (const reason of REASONS.slice(0, 3)) {
      await using server = await slowServer();
      const stop = new AbortController();
      const error = rejection(call(server.codex, stop.signal));
      await settle();
      stop.abort(reason);
      expect(await error).toMatchObject({ code: "aborted" });
      expect(((await error) as Error).cause).toBe(reason);
    }
  });

  test(`the abort reason is the cause when ${what} is aborted before it begins`, async () => {
    for (const reason of REASONS) {
      await using server = await slowServer();
      const error = await rejection(call(server.codex, AbortSignal.abort(reason)));
      expect(error).toMatchObject({ code: "aborted" });
      expect((error as Error).cause).toBe(reason);
    }
  });
}

verifies(
  "rpc.abort.reason",
  "the abort reason is the cause when a running session or login is aborted",
  async () => {
    const answers: Answers = (request) => {
      if (request.method === "fuzzyFileSearch/sessionStart") return `"result":{}`;
      if (request.method === "account/login/start")
        return `"result":{"type":"chatgpt","loginId":"L","authUrl":"https://x"}`;
      if (request.method === "fs/watch") return `"result":{"path":"/x"}`;
      return silent(request);
    };
    const begun: Readonly<Record<string, Call>> = {
      search: async (codex, signal) => drained(await codex.searchSession({ roots: ["/"], signal })),
      login: async (codex, signal) => (await codex.login.chatgpt({ signal })).completed,
      watch: async (codex, signal) => {
        const watch = codex.watch("/x", { signal });
        await watch.ready;
        await drained(watch);
      },
    };
    for (const call of Object.values(begun)) {
      await using server = await slowServer(answers);
      const stop = new AbortController();
      const error = rejection(call(server.codex, stop.signal));
      await settle();
      const reason = new Error("enough");
      stop.abort(reason);
      expect(await error).toMatchObject({ code: "aborted", cause: reason });
    }
  },
);

verifies(
  "rpc.abort.reason",
  "the abort reason is the cause when a connection or the creation of a workspace is aborted",
  async () => {
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    const never = new AbortController();
    const opening = rejection(openTransport(async () => await new Promise<never>(() => {}), never.signal));
    never.abort(reason);
    const errors = [
      await opening,
      await rejection(Promise.resolve().then(() => stdio()(signal))),
      await rejection(Promise.resolve().then(() => websocket("ws://127.0.0.1:1")(signal))),
      await rejection(Promise.resolve().then(() => unixSocket("/none.sock")(signal))),
      await rejection(
        Workspace.create({ mounts: [{ from: import.meta.dirname, to: "x" }], allowedRoots: "any", signal }),
      ),
    ];
    for (const error of errors) expect(error).toMatchObject({ code: "aborted", cause: reason });
  },
);
