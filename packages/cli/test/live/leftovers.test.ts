import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { until } from "../../../../test/support/events.ts";
import { verifies } from "../../../../test/support/verifies.ts";
import { start } from "../support/command.ts";
import { PINNED } from "../support/real-world.ts";

verifies(
  ["cli.exit-codes", "cli.unsafe.leftovers"],
  "a demo that is ended by a signal while it starts leaves no folder behind",
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
