import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../../..");

/** Runs the program of a recipe, which must print the text block of its page and nothing else. */
export async function expectAsShown(recipe: string): Promise<void> {
  const page = readFileSync(path.join(ROOT, `docs/recipes/${recipe}.md`), "utf8");
  expect(page.startsWith("# ") && /^After this page you can .*\.$/.test(page.split("\n")[2] ?? "")).toBe(
    true,
  );
  expect(page).toContain(`npm run example -- recipes/${recipe}\n`);
  const program = path.join(ROOT, `build/examples/recipes/${recipe}.js`);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program]);
  const [, shown] = /^```text\n(.*?)^```$/ms.exec(page) ?? [];
  expect({ stdout, stderr }).toEqual({ stdout: shown, stderr: "" });
}

/** A folder for the homes of a Codex that is not logged in. */
export function emptyHome(): Disposable & {
  readonly dir: string;
  readonly env: Record<string, string | undefined>;
} {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), "home-")));
  return {
    dir,
    env: { CODEX_HOME: dir, HOME: dir, TMPDIR: dir, OPENAI_API_KEY: undefined, CODEX_API_KEY: undefined },
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}
