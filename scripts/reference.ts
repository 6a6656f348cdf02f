/** Writes docs/reference from the doc comments; `--check` fails where it is not what they say. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "./steps.ts";

const committed = path.join(ROOT, "docs/reference");

if (process.argv.includes("--check")) {
  const fresh = mkdtempSync(path.join(tmpdir(), "codexwright-reference-"));
  try {
    write(fresh);
    const stale = [...new Set([...files(fresh), ...files(committed)])].filter(
      (file) => read(fresh, file) !== read(committed, file),
    );
    if (stale.length > 0) {
      console.error(
        `docs/reference is not what the doc comments say (${stale.join(", ")}): npm run reference`,
      );
      process.exitCode = 1;
    }
  } finally {
    rmSync(fresh, { recursive: true });
  }
} else {
  write(committed);
}

function write(out: string): void {
  const typedoc = path.join(ROOT, "node_modules/typedoc/bin/typedoc");
  execFileSync(process.execPath, [typedoc, "--out", out], { cwd: ROOT, stdio: "inherit" });
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
}

function read(folder: string, file: string): string | undefined {
  try {
    return readFileSync(path.join(folder, file), "utf8");
  } catch {
    return undefined;
  }
}
