import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { fakeAppServer, reply } from "@codexwright/testing";
import { record, type Recording, type RecordingLine } from "codexwright/recording";
import { verifies } from "@codexwright/test-support/verifies";
import { follow } from "../../../src/recordings/follow.ts";
import { playThrough } from "../../../src/recordings/play-through.ts";

async function recorded(): Promise<Recording> {
  const lines: RecordingLine[] = [];
  await using fake = fakeAppServer({ model: [reply("Hello.")] });
  const codex = await CodexClient.connect({ transport: record(fake.transport, (line) => lines.push(line)) });
  const thread = await codex.startThread();
  await thread.run("Say hello.");
  await codex.disconnect();
  return lines;
}

verifies(
  "cli.recordings.whole",
  "a complete recording plays against itself; a truncated one or one with a gap does not",
  async () => {
    const recording = await recorded();
    const report = await playThrough(recording);
    expect(report).toMatchObject({ connections: 1, unanswered: 0, problems: [] });
    expect(report.sent + report.received).toBe(recording.length - 2);

    const cut = await playThrough(recording.slice(0, -1));
    expect(cut.problems.join()).toContain("cut off");

    const asked = recording.findIndex(
      (line) => "message" in line && line.message["method"] === "thread/start",
    );
    const holed = await playThrough(recording.toSpliced(asked, 1));
    expect(holed.problems.join()).toContain("answers to requests that are not in the recording");
  },
  { against: "fake" },
);

verifies("cli.recordings.inspect", "follows a recording line by line while it grows", async () => {
  const recording = await recorded();
  const folder = await mkdtemp(path.join(tmpdir(), "codexwright-"));
  const file = path.join(folder, "growing.ndjson");
  const lines = recording.map((line) => `${JSON.stringify(line)}\n`);
  await writeFile(file, lines.slice(0, 2).join(""));
  const stop = new AbortController();
  const seen: RecordingLine[] = [];
  for await (const line of follow(file, stop.signal)) {
    seen.push(line);
    const next = lines[seen.length];
    if (seen.length === recording.length) stop.abort();
    // Written in halves: a line counts only when it is complete.
    else if (next !== undefined && seen.length > 1) {
      await appendFile(file, next.slice(0, 20));
      await appendFile(file, next.slice(20));
    }
  }
  expect(seen).toEqual([...recording]);
  await rm(folder, { recursive: true });
});
