import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { reply } from "@codexwright/testing";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { readTask } from "../../src/run/task.ts";
import { MOST_BYTES, readText } from "../../src/shared/read-text.ts";
import type { Stdin } from "../../src/shared/stdin.ts";
import { COMMAND } from "../support/command.ts";
import { jsonLines } from "../support/json-lines.ts";
import { newUser } from "../support/user.ts";

const FAKE: VerifiesOptions = { against: "fake", timeoutMs: 60_000 };

/** A standard input with a text, or a terminal if there is no text. */
function stdinOf(text: string | undefined, isPiped = text !== undefined): Stdin {
  return {
    isTerminal: text === undefined,
    isPiped: () => isPiped,
    read: async () => await readText(Readable.from([Buffer.from(text ?? "never read")]), "stdin"),
  };
}

describe("piped text", () => {
  verifies(
    ["cli.run.stdin", "cli.run.task"],
    "follows the words of the task in a block, as with `codex exec`",
    async () => {
      const cwd = await mkdtemp(path.join(tmpdir(), "codexwright-task-"));
      await writeFile(path.join(cwd, "task.md"), "from a file\n");
      for (const [words, file, text, task] of [
        [["explain", "it"], undefined, "1\n2\n", "explain it\n\n<stdin>\n1\n2\n</stdin>"],
        [["explain"], undefined, "  no end", "explain\n\n<stdin>\n  no end\n</stdin>"],
        [["explain"], "task.md", "1\n", "explain\n\nfrom a file\n\n<stdin>\n1\n</stdin>"],
        [[], "task.md", "1\n", "from a file\n\n<stdin>\n1\n</stdin>"],
        [["see"], "-", "1\n", "see\n\n1"],
        [["-"], "-", "1\n", "1"],
        [["-"], undefined, "1\n", "1"],
        [["-"], "task.md", "1\n", "1\n\nfrom a file"],
        [[], undefined, "\uFEFF1\n", "1"],
        [["explain"], undefined, "", "explain"],
        [["explain"], undefined, " \n\n", "explain"],
        [["explain"], undefined, undefined, "explain"],
        [[], undefined, undefined, ""],
        [[], undefined, " \n", ""],
      ] as const) {
        expect(await readTask({ words, file, cwd, stdin: stdinOf(text) })).toBe(task);
      }
      // This stdin is inherited and is not a pipe, so it may never end and is not read.
      const inherited = stdinOf("never read", false);
      expect(await readTask({ words: ["explain"], cwd, stdin: inherited })).toBe("explain");
      await rm(cwd, { recursive: true });
    },
  );

  verifies(
    "cli.run.stdin",
    "is read from pipes and files; a closed stdin and devices are not read",
    async () => {
      await using user = await newUser({ model: () => reply("Yes.") });
      await writeFile(path.join(user.folder, "log"), "a log\n");
      const log = { file: path.join(user.folder, "log") };
      const run: typeof user.run = async (...args) => await user.run(...args);
      const closed = path.join(user.folder, "closed.mjs");
      const shell = `spawnSync("sh", ["-c", 'exec "$0" "$@" <&-', process.execPath, ${JSON.stringify(COMMAND)}, ...process.argv.slice(2)], { stdio: "inherit" })`;
      await writeFile(
        closed,
        `import { spawnSync } from "node:child_process"; process.exitCode = ${shell}.status;`,
      );
      const results = await Promise.all([
        run(["run", "-q", "pipe"], { stdin: "a pipe" }),
        run(["run", "-q", "file"], { stdin: log }),
        run(["run", "-q", "null"], { stdin: { file: "/dev/null" } }),
        run(["run", "-q", "zero"], { stdin: { file: "/dev/zero" } }),
        run(["run", "-q", "closed"], { program: closed, stdin: { open: true } }),
      ]);
      for (const result of results) expect(result).toEqual({ exitCode: 0, stdout: "Yes.\n", stderr: "" });
      expect(user.fake.requests.map(({ lastUserText }) => lastUserText).toSorted()).toEqual([
        "closed",
        "file\n\n<stdin>\na log\n</stdin>",
        "null",
        "pipe\n\n<stdin>\na pipe\n</stdin>",
        "zero",
      ]);
    },
    FAKE,
  );

  for (const args of [
    ["run", "-q", "explain"],
    ["run", "--json"],
  ]) {
    verifies(
      "cli.run.stdin",
      `that does not arrive is reported: ${args.join(" ")}`,
      async () => {
        await using user = await newUser({ model: () => reply("Yes.") });
        const running = user.start(args, { stdin: { open: true } });
        await running.shows("Reading standard input", "stderr");
        expect(user.fake.requests).toEqual([]);
        running.endStdin("late");
        expect((await running.done).exitCode).toBe(0);
        expect(user.fake.requests.at(-1)?.lastUserText).toContain("late");
      },
      FAKE,
    );
  }

  verifies(
    ["cli.run.stdin", "cli.exit-codes"],
    "that is too large, not text or a folder is rejected before anything is sent",
    async () => {
      await using user = await newUser({ model: [] });
      const cases = [
        ["x".repeat(1_048_577), "input_too_large", 2],
        [Buffer.alloc(MOST_BYTES + 1, 0x78), "input_too_large", 2],
        [Buffer.from([0x66, 0xff, 0x67]), "invalid_encoding", 2],
        [{ file: "." }, "stdin_unreadable", 1],
      ] as const;
      const results = await Promise.all(
        cases.map(async ([stdin]) => await user.run(["run", "--json", "explain"], { stdin })),
      );
      for (const [index, { exitCode, stdout }] of results.entries()) {
        const [, code, exit] = cases[index] ?? [];
        expect(exitCode).toBe(exit);
        expect(await jsonLines(stdout)).toMatchObject([{ type: "error", code }]);
      }
      expect(user.fake.requests).toEqual([]);
    },
    FAKE,
  );
});

describe("readText", () => {
  verifies("cli.run.stdin", "stops reading an endless source, and reads no more than it keeps", async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        await Promise.resolve();
        given += 65_536;
        yield Buffer.alloc(65_536, 0x78);
      }
    }
    expect(await rejection(readText(endless(), "x"))).toMatchObject({ code: "input_too_large" });
    expect(given).toBeLessThanOrEqual(MOST_BYTES + 65_536);
  });

  verifies("cli.run.stdin", "returns any text, however it is split into chunks", async () => {
    const property = fc.asyncProperty(
      fc.string({ unit: "grapheme" }),
      fc.array(fc.nat({ max: 64 })),
      async (text, cuts) => {
        const bytes = Buffer.from(text);
        const places = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length].toSorted(
          (a, b) => a - b,
        );
        async function* chunks(): AsyncGenerator<Uint8Array> {
          for (const [index, place] of places.entries()) {
            await Promise.resolve();
            yield bytes.subarray(place, places[index + 1] ?? bytes.length);
          }
        }
        expect(await readText(chunks(), "x")).toBe(text.replace(/^\uFEFF/, ""));
      },
    );
    await fc.assert(property, { seed: 14, numRuns: 200 });
  });

  verifies(
    "cli.run.stdin",
    "reads UTF-16 with a byte order mark, and rejects bytes that are not text",
    async () => {
      const read = async (bytes: Uint8Array): Promise<string> => await readText(Readable.from([bytes]), "x");
      expect(await read(Buffer.from("\uFEFFé\n", "utf16le"))).toBe("é\n");
      expect(await read(Buffer.from("\uFEFFé\n", "utf16le").swap16())).toBe("é\n");
      for (const bytes of [
        [0xff],
        [0x66, 0xe2, 0x82],
        [0xc0, 0x80],
        [0xed, 0xa0, 0x80],
        [0xff, 0xfe, 0x00],
      ]) {
        expect(await rejection(read(Uint8Array.from(bytes)))).toMatchObject({ code: "invalid_encoding" });
      }
    },
  );
});
