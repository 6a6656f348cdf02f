import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import type { ModelProvider } from "@codexwright/engine";
import { engine } from "@codexwright/engine/node";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";

const skip =
  (process.platform !== "linux" || process.getuid?.() !== 0) &&
  "it needs root on Linux, to mount a small disk";
const usage = {
  totalTokens: 2,
  inputTokens: 1,
  outputTokens: 1,
  cachedInputTokens: 0,
  reasoningOutputTokens: 0,
};

/** A model that answers with a long text. */
const provider: ModelProvider = {
  id: "own",
  models: () => Promise.resolve([]),
  async *stream() {
    await Promise.resolve();
    const content = [{ type: "output_text", text: "x".repeat(50_000) }];
    const item = { type: "message", id: `msg_${crypto.randomUUID()}`, role: "assistant" };
    yield { type: "itemAdded", item: { ...item, content: [] } };
    yield { type: "itemDone", item: { ...item, content } };
    yield { type: "completed", usage };
  },
};

verifies(
  "engine.records.disk-full",
  "turns fail on a full disk, files keep whole lines, and the thread goes on when there is space",
  async () => {
    const home = await mkdtemp(path.join(tmpdir(), "codexwright-full-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "codexwright-test", home]);
    try {
      const fill = path.join(home, "fill");
      await mkdir(path.join(home, "work"));
      await using codex = await CodexClient.connect({
        transport: engine({ provider, home, cwd: path.join(home, "work") }),
      });
      const thread = await codex.startThread();
      await thread.run("one");
      await writeFile(fill, Buffer.alloc(2_000_000)).catch(() => {});
      for (const text of ["two", "three"]) {
        const error = (await rejection(thread.run(text))) as Error;
        expect(error).toMatchObject({ code: "turn_failed" });
        expect(error.message).toContain("the thread store failed to write a thread: ENOSPC");
        expect(await linesOf(home)).toBeGreaterThan(3);
      }
      await rm(fill);
      await thread.run("four");
      await linesOf(home);
      const { data } = await codex.request("thread/turns/list", {
        threadId: thread.id,
        sortDirection: "asc",
      });
      expect(data.map(({ status }) => status)).toEqual(["completed", "failed", "failed", "completed"]);
    } finally {
      execFileSync("umount", ["--lazy", home]);
      await rm(home, { recursive: true, force: true });
    }
  },
  { skip },
);

/** Checks that the file has whole lines with positions without gaps, and returns their number. */
async function linesOf(home: string): Promise<number> {
  const names = await readdir(path.join(home, "sessions"), { recursive: true });
  const file = path.join(home, "sessions", names.find((name) => name.endsWith(".jsonl")) ?? "");
  const text = await readFile(file, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  const ordinals = text
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { ordinal: number }).ordinal);
  expect(ordinals).toEqual(ordinals.map((_, at) => at));
  return ordinals.length;
}
