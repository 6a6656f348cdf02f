import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { CODEX_VERSION } from "codexwright/protocol";
import { describe, expect, onTestFinished } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";

const ROOT = path.join(import.meta.dirname, "../../../../..");
const SCRIPT = path.join(ROOT, "build/scripts/generate-protocol.js");
const options = { against: `codex ${CODEX_VERSION}`, timeoutMs: 180_000 } as const;

function check(root: string): { status: number | null; output: string } {
  const run = spawnSync(process.execPath, [SCRIPT, "--check", `--root=${root}`], { encoding: "utf8" });
  return { status: run.status, output: run.stdout + run.stderr };
}

describe("generate-protocol --check", () => {
  verifies(
    "protocol.drift",
    "accepts the committed files",
    () => {
      expect(check(ROOT)).toEqual({ status: 0, output: "protocol files are up to date\n" });
    },
    options,
  );

  verifies(
    "protocol.drift",
    "fails on a changed file and on a changed summary, and writes nothing",
    () => {
      const copy = mkdtempSync(path.join(tmpdir(), "codexwright-drift-"));
      onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
      for (const folder of ["packages/codexwright/src/protocol", "scripts/protocol/history"]) {
        cpSync(path.join(ROOT, folder), path.join(copy, folder), { recursive: true });
      }
      const edited = [
        path.join(copy, "packages/codexwright/src/protocol/methods.gen.ts"),
        path.join(copy, `scripts/protocol/history/${CODEX_VERSION}.json`),
      ];
      for (const file of edited) appendFileSync(file, "\n");
      const texts = edited.map((file) => readFileSync(file, "utf8"));
      const { status, output } = check(copy);
      expect(status).toBe(1);
      expect(output).toContain("methods.gen.ts");
      expect(output).toContain(`${CODEX_VERSION}.json`);
      expect(output).not.toContain("types.gen.ts");
      expect(edited.map((file) => readFileSync(file, "utf8"))).toEqual(texts);
    },
    options,
  );
});
