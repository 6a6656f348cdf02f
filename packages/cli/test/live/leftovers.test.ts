import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { exec, hang } from "@codexwright/testing";
import { expect } from "vitest";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { start } from "../support/command.ts";
import { PINNED, realWorld, verifiesHere } from "../support/real-world.ts";
import { Terminal } from "../support/terminal.ts";

verifies(
  ["cli.exit-codes", "cli.unsafe.leftovers"],
  "a demo that a signal ends during its start leaves no folder behind",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "codexwright-leftovers-"));
    try {
      const running = start(["models", "--demo"], { env: { TMPDIR: folder } });
      await until(() => readdirSync(folder).length > 0);
      running.kill("SIGTERM");
      const { exitCode, stderr } = await running.done;
      expect({ exitCode, left: readdirSync(folder) }).toEqual({ exitCode: 130, left: [] });
      expect(stderr).toContain("interrupted");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  PINNED,
);

for (const [place, args, sign] of [
  ["while a command runs", ["--sandbox", "danger-full-access"], "Ctrl-C interrupts"],
  ["at a question", ["--sandbox", "read-only", "--approval", "on-request"], "Run this command?"],
] as const) {
  verifiesHere(
    ["cli.run.interrupt", "cli.unsafe.leftovers"],
    `closing the terminal ${place} interrupts the turn, and nothing crashes`,
    async () => {
      const step = exec("sleep 600", { justification: "It takes its time." });
      await using world = await realWorld([step, hang()]);
      const log = path.join(world.folder, "log");
      const options = { cwd: world.folder, env: world.env, log };
      const terminal = await Terminal.open(["run", ...args, "Wait"], options);
      await terminal.shows(sign);
      await terminal[Symbol.asyncDispose]();
      await until(() => existsSync(`${log}.code`));
      // The shell itself reports that a signal ended the command.
      expect(readFileSync(log, "utf8")).toMatch(
        /^error interrupted: The turn was interrupted\.\n(Hangup\n)?$/,
      );
    },
    PINNED,
  );
}
