import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { command, start } from "../../support/command.ts";
import { jsonLines } from "../../support/json-lines.ts";

const HEADER = `{"format":"codexwright-recording","version":1,"codexwright":"0.1.0","startedAt":"2026-11-15T12:00:00.000Z"}\n`;

function line(ms: number, direction: "in" | "out", message: object): string {
  return `${JSON.stringify({ connection: 1, ms, direction, message })}\n`;
}

const ASKED = line(1, "out", { id: 0, method: "model/list", params: {} });
const ANSWERED = line(4, "in", { id: 0, result: { data: [] } });
const OPEN = line(6, "out", { id: 1, method: "thread/read", params: { threadId: "thread-1" } });

async function inFolder(test: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "codexwright-inspect-"));
  try {
    await test(path.join(folder, "a.ndjson"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

verifies(
  ["cli.recordings.inspect", "cli.exit-codes"],
  "inspect --follow shows what is appended later; on Ctrl-C it shows what is still open and exits with 130",
  async () => {
    await inFolder(async (file) => {
      await writeFile(file, HEADER + ASKED);
      const following = start(["inspect", "--follow", file]);
      await appendFile(file, ANSWERED.slice(0, 20));
      await appendFile(file, ANSWERED.slice(20));
      await following.shows("model/list");
      const notified = { method: "skills/changed", params: {} };
      await appendFile(file, OPEN + line(8, "in", notified));
      await following.shows("skills/changed");
      following.kill("SIGINT");
      const { exitCode, stdout, stderr } = await following.done;
      expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: "" });
      expect(stdout.trimEnd().split("\n")).toEqual([
        expect.stringMatching(/0\.001s +3ms {2}request +model\/list$/),
        expect.stringMatching(/0\.008s +event +skills\/changed$/),
        expect.stringMatching(/0\.006s +request +thread\/read +no answer$/),
      ]);
    });
  },
  { timeoutMs: 60_000 },
);

verifies(
  ["cli.recordings.inspect", "cli.json", "cli.exit-codes"],
  "inspect shows the rows that match its filters, and rejects an unknown kind",
  async () => {
    await inFolder(async (file) => {
      await writeFile(file, HEADER + ASKED + ANSWERED + OPEN);
      const methods = async (...filter: string[]): Promise<unknown[]> => {
        const { stdout, exitCode } = await command(["inspect", "--json", file, ...filter]);
        expect(exitCode).toBe(0);
        return (await jsonLines(stdout)).slice(0, -1).map(({ method }) => method);
      };
      expect(await methods()).toEqual(["model/list", "thread/read"]);
      expect(await methods("--errors")).toEqual(["thread/read"]);
      expect(await methods("--method", "model/", "turn/")).toEqual(["model/list"]);
      expect(await methods("--thread", "thread-")).toEqual(["thread/read"]);
      expect(await methods("--kind", "turn", "item")).toEqual([]);
      expect((await command(["inspect", file, "--kind", "all"])).exitCode).toBe(2);
      const long = { threadId: "thread-1", input: [{ type: "text", text: `say ${"very ".repeat(20)}long` }] };
      const started = line(1, "out", { id: 2, method: "turn/start", params: long });
      await writeFile(file, HEADER + started + line(2, "in", { id: 2, result: {} }));
      expect((await command(["inspect", file], { env: { COLUMNS: "40" } })).stdout).toContain("very long");
      await writeFile(file, "no recording\n");
      expect((await command(["inspect", file])).exitCode).toBe(1);
    });
  },
  { timeoutMs: 60_000 },
);

verifies(
  ["cli.recordings.inspect", "cli.json"],
  "inspect reports a recording that has no end",
  async () => {
    await inFolder(async (file) => {
      await writeFile(file, HEADER + ASKED + ANSWERED);
      expect((await command(["inspect", file])).stdout).toMatch(
        /1 connection in 4ms, 1 without an end: cut off, or still being recorded\n$/,
      );
      const end = { connection: 1, ms: 9, closed: { by: "client", message: "the client was disconnected" } };
      await appendFile(file, `${JSON.stringify(end)}\n`);
      expect((await command(["inspect", file])).stdout).toMatch(/1 connection in 9ms\n$/);
      const { stdout } = await command(["inspect", "--json", file]);
      expect((await jsonLines(stdout)).at(-1)).toMatchObject({ type: "recording", connections: 1, open: 0 });
    });
  },
  { timeoutMs: 60_000 },
);
