import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import path from "node:path";
import { execFileSync } from "node:child_process";
import { describe, expect } from "vitest";
import { hang, reply } from "@codexwright/testing";
import { jsonSchema, tool } from "codexwright";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, processesOf } from "@codexwright/test-support/world";
import { runWorld, type RunSession } from "../../support/run-world.ts";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

async function linesOf(file: string): Promise<readonly Message[]> {
  const text = await readFile(file, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Message);
}

const note = tool({
  name: "issue_note",
  description: "Writes a note.",
  input: jsonSchema({ type: "object", properties: { text: { type: "string" } } }),
  run: () => "written",
});

describe("a run and its app-server", () => {
  verifies(
    [
      "symphony.17.5.startup",
      "symphony.17.5.identity",
      "symphony.17.5.policy",
      "symphony.17.5.sessions",
      "symphony.17.5.framing",
      "symphony.17.5.tools-advertised",
      "symphony.17.5.tools-selected",
      "spec001.framing",
      "spec001.handshake",
      "spec001.thread-start",
      "spec001.turn-start",
      "spec001.same-thread",
      "spec001.session-id",
    ],
    "exchange the messages of a session, line by line",
    async () => {
      await using world = await runWorld([reply("one"), reply("two")]);
      const [sent, received] = ["sent", "received"].map((name) => path.join(world.server.root, name));
      const command = world.commandWith(`tee '${sent}' | ${world.codex} | tee '${received}'`);
      const run = await world.run({
        states: (count) => ["Todo", "Todo", "Done"][count] ?? null,
        prompt: "Do the work.",
        tools: [note],
        codex: { command, approvalPolicy: "on-request" },
      });
      expect(run.outcome.kind).toBe("completed");
      const [out, back] = await Promise.all([linesOf(sent ?? ""), linesOf(received ?? "")]);
      expect([...out, ...back].some((message) => "jsonrpc" in message)).toBe(false);

      const calls = out.filter(({ method }) => method !== undefined);
      const methods = calls.map(({ method }) => method);
      // A request of our own asks Codex and our engine alike which other methods they have.
      const session = ["initialize", "initialized", "thread/start", "turn/start"];
      const inOrder = methods.filter((method) => session.includes(method ?? ""));
      expect(inOrder).toEqual([...session, "turn/start"]);
      const paramsOf = (name: string) =>
        calls.filter(({ method }) => method === name).map(({ params = {} }) => params);
      const resultOf = (name: string): unknown => {
        const id = calls.find(({ method }) => method === name)?.id;
        return back.find((message) => message.id === id && message.method === undefined)?.result;
      };
      expect(paramsOf("initialize")).toMatchObject([
        {
          clientInfo: { name: "codexwright-fleet", version: expect.stringMatching(/./) as string },
          capabilities: { experimentalApi: true },
        },
      ]);
      expect(paramsOf("thread/start")).toMatchObject([
        { approvalPolicy: "on-request", sandbox: "workspace-write", dynamicTools: [{ name: "issue_note" }] },
      ]);
      // The server started in the workspace, so that the thread has this folder without a word about it.
      const cwd = await realpath(run.totals.workspacePath ?? "");
      expect(resultOf("thread/start")).toMatchObject({ cwd, thread: { cwd } });
      const { threadId } = run.totals;
      const [first, second] = paramsOf("turn/start");
      expect(first).toMatchObject({
        threadId,
        input: [{ type: "text", text: expect.stringContaining("Do the work.") as string }],
        sandboxPolicy: { type: "workspaceWrite", networkAccess: false },
      });
      expect(second).toMatchObject({ threadId });
      expect(JSON.stringify(second)).not.toContain("Do the work.");
      expect(paramsOf("thread/name/set")).toMatchObject([{ threadId, name: "ONE-1: A title" }]);

      for (const { id } of calls.filter(
        (call) => call.id !== undefined && session.includes(call.method ?? ""),
      ))
        expect(back.filter((message) => message.id === id && message.method === undefined)).toHaveLength(1);
      const { turn } = resultOf("turn/start") as { turn: { id: string } };
      const told = run.events.find(({ event }) => event === "session.started");
      expect(told?.sessionId).toBe(`${threadId}-${turn.id}`);
    },
    PINNED,
  );

  verifies(
    ["symphony.17.5.launch", "symphony.17.2.cwd", "spec001.launch"],
    "bash starts it as a login shell, in the workspace",
    async () => {
      await using world = await runWorld([reply("one")]);
      const command = `pwd -P > place; [[ -n $BASH_VERSION ]] && shopt -q login_shell && echo login >> place; ${world.commandWith(world.codex)}`;
      const run = await world.run({ codex: { command } });
      const workspace = run.totals.workspacePath ?? "";
      expect(await readFile(path.join(workspace, "place"), "utf8")).toBe(
        `${await realpath(workspace)}\nlogin\n`,
      );

      const outside = path.join(world.server.root, "outside");
      await mkdir(outside);
      const beforeRun = `cd .. && rm -rf ONE-1 && ln -s '${outside}' ONE-1`;
      const refused = await world.run({ codex: { command }, hooks: { beforeRun } });
      expect(refused.outcome).toMatchObject({ kind: "failed", code: "workspace_escape" });
      expect(refused.phases).not.toContain("LaunchingAgentProcess");
      await expect(readFile(path.join(outside, "place"))).rejects.toThrow("ENOENT");
    },
    PINNED,
  );

  verifies(
    ["symphony.17.5.framing", "symphony.17.5.stderr", "spec001.noise", "spec001.stderr"],
    "other lines on stdout, and everything on stderr, change nothing",
    async () => {
      await using world = await runWorld([reply("one")]);
      const noise = [
        "echo 'this is not a message'",
        `echo '{"method":"unknown/notification","params":{"x":1}}'`,
        `echo '{"method":"turn/completed"}' >&2`,
        "yes noise | head -c 200000 >&2",
      ];
      const run = await world.run({
        codex: { command: `${noise.join("; ")}; ${world.commandWith(world.codex)}` },
      });
      expect(run.outcome).toMatchObject({ kind: "completed" });
      expect(run.totals.turns).toBe(1);
    },
    PINNED,
  );

  verifies(
    ["symphony.17.5.read-timeout", "spec001.response-timeout"],
    "a request without an answer is response_timeout, and the server ends",
    async () => {
      await using world = await runWorld([]);
      const answer = `{"id":0,"result":{"userAgent":"other/0.166.0","codexHome":"/","platformFamily":"unix","platformOs":"linux"}}`;
      const command = world.commandWith(`bash -c 'read -r line; echo "$ANSWER"; exec sleep 600'`);
      const run = await world.run({
        codex: { command: `export ANSWER='${answer}'; ${command}`, readTimeoutMs: 500 },
      });
      expect(run.phases).toContain("InitializingSession");
      expect(run.outcome).toMatchObject({ kind: "failed", code: "response_timeout" });
      expect(processesOf(world.server.root)).toEqual([]);
    },
    PINNED,
  );

  verifies(
    ["spec001.cancelled", "fleet.runner.outcomes", "fleet.runner.turn-ends"],
    "a turn that another client interrupts is turn_cancelled",
    async () => {
      await using world = await runWorld([hang()]);
      const pipe = path.join(world.server.root, "pipe");
      execFileSync("mkfifo", [pipe]);
      // Reads the pipe besides our messages.
      const both = `bash -c 'cat <&0 & cat "$0"; wait' '${pipe}'`;
      const interrupt = async ({ threadId, turnId }: RunSession): Promise<void> => {
        if (turnId === null) return;
        const params = { threadId, turnId };
        await writeFile(pipe, `${JSON.stringify({ id: "other", method: "turn/interrupt", params })}\n`);
      };
      const run = await world.run({
        codex: { command: world.commandWith(`${both} | ${world.codex}`) },
        session: (session) => void interrupt(session),
      });
      expect(run.outcome).toMatchObject({ kind: "failed", code: "turn_cancelled" });
      const ends = run.events.filter(({ event }) => event === "turn.completed");
      expect(ends.map(({ data }) => data?.["outcome"])).toEqual(["cancelled"]);
    },
    PINNED,
  );
});
