import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { verifies } from "@codexwright/test-support/verifies";
import { onBun } from "@codexwright/test-support/skips";
import { PINNED } from "@codexwright/test-support/world";
import { expect } from "vitest";
import { start } from "../../packages/cli/test/support/command.ts";

const DEMO = path.resolve(import.meta.dirname, "../../build/demo/main.js");

const SKIPPED = { skip: onBun("a fleet runs on Node only") };

/** Runs `npm start -- fleet` with its files in a folder of its own. */
async function inOwnFolder(run: (env: { TMPDIR: string }) => Promise<void>): Promise<void> {
  const temporary = await mkdtemp(path.join(tmpdir(), "fleet-demo-"));
  try {
    await run({ TMPDIR: temporary });
    expect(await readdir(temporary)).toEqual([]);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

verifies(
  "demo.fleet",
  "npm start -- fleet shows a kill, a question and failures, and ends with the diffs and totals",
  async () => {
    await inOwnFolder(async (env) => {
      const { exitCode, stdout, stderr } = await start(["fleet"], { program: DEMO, env }).done;
      expect([exitCode, stderr.replace(/^A fleet needs Node .*\n/, "")]).toEqual([0, ""]);
      const told = (text: string | RegExp): number =>
        typeof text === "string" ? stdout.indexOf(text) : stdout.search(text);
      // Two agents at once, and RATE-5 only after the issues that it waits for.
      expect(told("RATE-5 runs on")).toBeGreaterThan(told(/RATE-[12] is released/));
      expect(stdout).toContain("RATE-2: turn 2 completed");
      expect(stdout).toContain("RATE-3 waits for a person: question");
      expect(stdout).toContain('$ codexwright fleet answer RATE-3 "SQLite"');
      expect(stdout.match(/RATE-4: turn \d failed/g)).toHaveLength(2);
      expect(stdout).toMatch(/Takeover: RATE-[56] goes on with the same thread, [\d.]+ s after the kill/);
      const [, result = ""] = stdout.split("\nRATE-1  Parse amounts of money\ndiff");
      for (const file of ["parse.js", "print.js", "print.test.js", "fetch.js", "convert.js", "README.md"])
        expect(result).toContain(`b/${file}\n`);
      expect(result).toContain("+The rates are in SQLite.");
      expect(result).toMatch(
        /6 issues are done after \d+ runs, [1-9]\d* tokens .* The fleet was killed once\.\n$/,
      );
    });
  },
  { ...PINNED, ...SKIPPED, timeoutMs: 240_000 },
);

verifies(
  "demo.fleet",
  "a signal ends it, and leaves nothing behind",
  async () => {
    await inOwnFolder(async (env) => {
      const demo = start(["fleet"], { program: DEMO, env });
      await demo.shows("RATE-1 runs on");
      demo.kill("SIGTERM");
      expect((await demo.done).exitCode).toBe(130);
    });
  },
  { ...PINNED, ...SKIPPED },
);
