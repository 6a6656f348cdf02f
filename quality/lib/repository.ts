import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Task } from "./task.ts";

/** The repository of one task. */
export interface Repository extends AsyncDisposable {
  readonly folder: string;
  /** Returns why the task is not solved, or `undefined` if it is. */
  problem(): Promise<string | undefined>;
}

/** The name of the program that checks a task. It exists only while it runs. */
const CHECK = "check-of-the-task.mjs";
const LONGEST_CHECK_MS = 120_000;

/** Makes the repository of a task. */
export async function makeRepository(task: Task): Promise<Repository> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "codexwright-quality-")));
  const folder = path.join(root, task.name);
  for (const [file, text] of Object.entries(task.files)) {
    const place = path.join(folder, file);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, text);
  }
  await script(folder, "git init -q -b main && git add -A && git commit -qm 'first'");
  if (task.setup !== undefined) await script(folder, task.setup);
  return {
    folder,
    async problem() {
      const place = path.join(folder, CHECK);
      await writeFile(place, task.check);
      const { code, output } = await run("node", [CHECK], folder);
      await rm(place, { force: true });
      return code === 0
        ? undefined
        : (/^\w*Error.*$/m.exec(output)?.[0] ?? `the check failed: ${output.slice(0, 200)}`);
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

/** Runs a shell script in a folder. Rejects if it fails. */
export async function script(folder: string, text: string): Promise<void> {
  const { code, output } = await run("sh", ["-ec", text], folder);
  if (code !== 0) throw new Error(`a script of the task failed: ${output}`);
}

/** The author of commits, whatever the settings of the user are. */
const GIT = {
  GIT_AUTHOR_NAME: "Quality",
  GIT_AUTHOR_EMAIL: "quality@example.invalid",
  GIT_COMMITTER_NAME: "Quality",
  GIT_COMMITTER_EMAIL: "quality@example.invalid",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

function run(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<{ readonly code: number; readonly output: string }> {
  // A check that runs in a test of Node must not report to it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { cwd, env: { ...env, ...GIT }, timeout: LONGEST_CHECK_MS, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
        resolve({ code, output: `${stdout}${stderr}` });
      },
    );
  });
}
