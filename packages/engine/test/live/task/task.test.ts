import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ThreadItem } from "codexwright/protocol";
import { expect } from "vitest";
import { COMMAND } from "@codexwright/test-support/engine-target";
import { rejection, until } from "@codexwright/test-support/events";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies, type Against } from "@codexwright/test-support/verifies";
import { killAll, processesOf, serversOf } from "@codexwright/test-support/world";
import { SUMMARY } from "./script.ts";
import { Task } from "./task.ts";

/** The servers that go on with the thread after the kill. */
const FOLLOWERS: readonly {
  readonly name: string;
  readonly codexPath?: string;
  readonly against: Against;
  /** Remains of the killed engine's sandbox. The engine removes them with its next command, and Codex does not. */
  readonly leaves: string;
}[] = [
  { name: "the engine", codexPath: COMMAND, against: "none", leaves: "" },
  { name: "Codex", against: "pinned", leaves: "?? .agents/\n?? .codex/\n" },
];

for (const { name, against, leaves, ...server } of FOLLOWERS) {
  verifies(
    "engine.task",
    `a failing test is fixed, with approvals and a compaction; the engine is killed, ${name} goes on, and a review follows`,
    async () => {
      await using task = await Task.open();
      await task.connect({ codexPath: COMMAND });
      await fixes(task);
      await compacts(task);
      await dies(task);
      await task.connect(server);
      await goesOn(task);
      await reviews(task);
      expect(task.model.unexpected).toEqual([]);
      expect(task.model.requests).toHaveLength(task.script.steps.length);
      const { repository } = task;
      expect(repository.test()).toBe("the test passes\n");
      expect(repository.git("status", "--porcelain")).toBe(leaves);
      if (leaves !== "") await engineCommand(task);
      expect(repository.git("status", "--porcelain")).toBe("");
      expect(repository.commits()).toEqual([
        "Sum numbers",
        "Add the numbers",
        "Tell the news",
        "Refuse what is not a number",
      ]);
      repository.git("fsck", "--strict");
    },
    { against, timeoutMs: 120_000, skip: unlessLinux },
  );
}

/** Lets the engine run a command in its sandbox. */
async function engineCommand(task: Task): Promise<void> {
  await task.codex.disconnect();
  await task.connect({ codexPath: COMMAND });
  const { exitCode } = await task.codex.request("command/exec", {
    command: ["true"],
    sandboxPolicy: {
      type: "workspaceWrite",
      writableRoots: [],
      networkAccess: false,
      excludeTmpdirEnvVar: true,
      excludeSlashTmp: true,
    },
  });
  expect(exitCode).toBe(0);
}

function commandsIn(items: readonly ThreadItem[]): [string, number | null][] {
  return items.flatMap((item) => (item.type === "commandExecution" ? [[item.status, item.exitCode]] : []));
}

/** Reads, sees the test fail, patches, sees it pass, asks, and commits. */
async function fixes(task: Task): Promise<void> {
  expect(() => task.repository.test()).toThrow("AssertionError");
  const { agentMessage, turn } = await task.thread.run("Fix the failing test.");
  expect([agentMessage, turn.status]).toEqual(["The test passes.", "completed"]);
  const { items, commands: asked } = task.heard();
  expect(commandsIn(items)).toEqual([
    ["completed", 0],
    ["failed", 1],
    ["completed", 0],
    ["completed", 0],
  ]);
  const changes = items.flatMap((item) => (item.type === "fileChange" ? [item] : []));
  expect(changes.map(({ status, changes: [change] }) => [status, change?.path])).toEqual([
    ["completed", path.join(task.repository.folder, "sum.mjs")],
  ]);
  expect(changes[0]?.changes[0]?.diff).toContain("+  for (const number of numbers) total += number;");
  expect(asked).toEqual([expect.stringContaining("git commit")]);
  expect(task.outputAt("fix", 1)).toContain("total -= number");
  expect(task.outputAt("fix", 2)).toContain("AssertionError");
  expect(task.outputAt("fix", 4)).toContain("the test passes");
  expect(task.repository.commits()).toEqual(["Sum numbers", "Add the numbers"]);
  expect(task.repository.test()).toBe("the test passes\n");
}

async function compacts(task: Task): Promise<void> {
  let status: string | undefined;
  const stop = task.codex.onNotification("turn/completed", ({ turn }) => void (status = turn.status));
  await task.thread.compact();
  await until(() => status !== undefined);
  stop();
  expect(status).toBe("completed");
  expect(task.heard().items.map(({ type }) => type)).toEqual(["contextCompaction"]);
}

/** Kills the engine while a command runs. Nothing of it remains. */
async function dies(task: Task): Promise<void> {
  const started = path.join(task.repository.folder, "started.log");
  const failure = rejection(task.thread.run("Write NEWS.md."));
  await until(() => existsSync(started) && readFileSync(started, "utf8") !== "");
  const [engine, ...others] = serversOf(task.root);
  if (engine === undefined) throw new Error("no engine is running");
  expect(others).toEqual([]);
  killAll([engine]);
  expect(await failure).toMatchObject({ code: "connection_closed" });
  await task.codex.disconnect();
  await until(() => processesOf(task.root).length === 0);
  expect(readFileSync(started, "utf8")).toBe("started\n");
  expect(task.heard().items.map(({ type }) => type)).toEqual(["userMessage"]);
}

/** Has every completed item, tells the model how things are, and does not run the command again. */
async function goesOn(task: Task): Promise<void> {
  const { turns } = await task.thread.read(true);
  expect(turns.map(({ status }) => status)).toEqual(["completed", "completed", "interrupted"]);
  const kinds = turns.map(({ items }) => items.map(({ type }) => type));
  expect(kinds[0]).toEqual(expect.arrayContaining(["userMessage", "fileChange", "agentMessage"]));
  expect(kinds[1]).toEqual(["contextCompaction"]);
  const { agentMessage } = await task.thread.run("Go on.");
  expect(agentMessage).toBe("NEWS.md is there.");
  const { items, commands: asked } = task.heard();
  expect(commandsIn(items)).toEqual([
    ["completed", 0],
    ["completed", 0],
    ["completed", 0],
  ]);
  expect(asked).toEqual([expect.stringContaining("git add")]);
  const first = task.request("resumed", 0);
  const input = JSON.stringify(first?.input);
  expect(input).toContain(SUMMARY);
  expect(input).not.toContain("The test passes.");
  // A call without an output is an error at most providers.
  const ids = (type: string): unknown[] =>
    first?.input.filter((item) => item["type"] === type).map((item) => item["call_id"]) ?? [];
  expect(ids("function_call_output")).toEqual(ids("function_call"));
  expect(task.outputAt("resumed", 1)).toContain("started\\nAdd the numbers");
  expect(task.repository.commits().at(-1)).toBe("Tell the news");
}

/** Reviews the first commit. The thread then fixes what the reviewer has found. */
async function reviews(task: Task): Promise<void> {
  const sha = task.repository.git("rev-parse", "HEAD~1").trim();
  const { findings } = await task.codex.runReview({
    threadId: task.thread.id,
    target: { type: "commit", sha },
  });
  const file = path.join(task.repository.folder, "sum.mjs");
  expect(findings).toMatchObject([
    { title: "Refuse what is not a number", priority: 1, file, lines: { start: 3, end: 3 } },
  ]);
  expect(task.outputAt("review", 1)).toContain("Add the numbers");
  expect(task.heard().commands).toEqual([]);
  expect((await task.thread.run("Fix it.")).agentMessage).toBe("The finding is fixed.");
  const { items, commands: asked } = task.heard();
  expect(items.flatMap((item) => (item.type === "fileChange" ? [item.changes.length] : []))).toEqual([2]);
  expect(asked).toEqual([expect.stringContaining("git commit")]);
  expect(JSON.stringify(task.request("finding", 0)?.input)).toContain("sum(['1']) returns a string.");
}
