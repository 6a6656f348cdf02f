import { spawnSync } from "node:child_process";
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { CodexClient } from "codexwright";
import { expect } from "vitest";
import type { ModelProvider } from "@codexwright/engine";
import { engine } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";

const PROGRAM = path.join(import.meta.dirname, "killed.mjs");
const DIST = path.dirname(createRequire(import.meta.url).resolve("@codexwright/engine/node"));
/** More appends than two turns make. */
const MOST = 100;

/** The last request to the model. */
let asked = "";

const provider: ModelProvider = {
  id: "own",
  models: () => Promise.resolve([]),
  async *stream({ input }) {
    await Promise.resolve();
    asked = JSON.stringify(input);
    const item = { type: "message", id: `msg_${crypto.randomUUID()}`, role: "assistant" };
    const content = [{ type: "output_text", text: "goes on" }];
    yield { type: "itemAdded", item: { ...item, content: [] } };
    yield { type: "itemDone", item: { ...item, content } };
    const tokens = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningOutputTokens: 0 };
    yield { type: "completed", usage: { totalTokens: 2, ...tokens } };
  },
};

interface Life {
  readonly threadId: string;
  readonly completed: readonly string[];
  readonly killed: boolean;
}

/** Runs two turns in a process that is killed at an append. */
function live(home: string, moment: string, append: number): Life {
  const { stdout, signal, stderr, status } = spawnSync(
    process.execPath,
    [PROGRAM, DIST, home, moment, String(append)],
    { encoding: "utf8", timeout: 60_000 },
  );
  const isDone = stdout.endsWith("done\n");
  if (signal !== "SIGKILL" && !isDone) throw new Error(`the program ended with ${status}: ${stderr}`);
  const all = (word: string): string[] =>
    [...stdout.matchAll(new RegExp(`^${word} (.*)$`, "gm"))].map(([, id]) => id ?? "");
  return { threadId: all("thread")[0] ?? "", completed: all("completed"), killed: !isDone };
}

function lines(folder: string): string[] {
  return readdirSync(path.join(folder, "sessions"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) =>
      readFileSync(path.join(folder, "sessions", name), "utf8")
        .split("\n")
        .slice(0, -1),
    );
}

for (const moment of ["before", "torn", "after"]) {
  verifies(
    ["engine.records.killed", "engine.compaction.record"],
    `no completed turn is lost if the server is killed at any append: ${moment}`,
    async () => {
      let append = 1;
      for (; append <= MOST; append++) {
        const home = mkdtempSync(path.join(realpathSync(tmpdir()), "codexwright-killed-"));
        mkdirSync(path.join(home, "work"));
        try {
          const { threadId, completed, killed } = live(home, moment, append);
          if (!killed) break;
          await goesOn(home, threadId, completed, `${moment} ${append}`);
        } finally {
          rmSync(home, { recursive: true, force: true });
        }
      }
      // Each turn makes some appends, and the loop went past the last one.
      expect(append).toBeGreaterThan(4);
      expect(append).toBeLessThan(MOST);
    },
    { timeoutMs: 300_000 },
  );
}

/** Another server on the home has all completed turns, and the thread goes on. */
async function goesOn(
  home: string,
  threadId: string,
  completed: readonly string[],
  at: string,
): Promise<void> {
  await using codex = await CodexClient.connect({
    transport: engine({ provider, home, cwd: path.join(home, "work") }),
  });
  const { data } = await codex.request("thread/list", {});
  const listed = data.map(({ id }) => id);
  if (!listed.includes(threadId)) {
    // The thread had nothing on disk yet, so no turn was completed.
    expect([at, completed]).toEqual([at, []]);
    return;
  }
  const thread = await codex.resumeThread(threadId);
  const { turn } = await thread.run("three");
  const { thread: read } = await codex.request("thread/read", { threadId, includeTurns: true });
  const ended = read.turns.filter(({ status }) => status === "completed").map(({ id }) => id);
  expect([at, ended]).toEqual([at, expect.arrayContaining([...completed, turn.id])]);
  for (const id of completed) {
    const items = read.turns.find((each) => each.id === id)?.items.map(({ type }) => type);
    expect([["userMessage", "agentMessage"], ["contextCompaction"]]).toContainEqual(items);
  }
  // The model gets the conversation or its summary, and the words of the user in either case.
  if (completed.length > 0) {
    expect([at, asked]).toEqual([at, expect.stringContaining('"one"')]);
    expect([at, asked]).toEqual([at, expect.stringMatching(/"answer \d+_\d+"|the summary/)]);
  }
  if (completed.length > 1) expect([at, asked]).toEqual([at, expect.stringContaining("the summary")]);
  const ordinals = lines(home).map((line) => (JSON.parse(line) as { ordinal: number }).ordinal);
  expect([at, ordinals]).toEqual([at, ordinals.map((_, position) => position)]);
}
