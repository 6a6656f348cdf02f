import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import path from "node:path";
import { reply } from "@codexwright/testing";
import { describe, expect } from "vitest";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { jsonLines } from "../support/json-lines.ts";
import { newUser, type User } from "../support/user.ts";

const FAKE: VerifiesOptions = { against: "fake", timeoutMs: 60_000 };

const location = { absolute_file_path: "/w/a.ts", line_range: { start: 3, end: 4 } };
const ANSWER = {
  findings: [{ title: "[P1] Guard it", body: "It may be null.", code_location: location }],
  overall_explanation: "One problem.",
};
const FOUND = {
  title: "Guard it",
  body: "It may be null.",
  priority: 1,
  confidence: null,
  file: "/w/a.ts",
  lines: { start: 3, end: 4 },
};
const TEXT = "One problem.\n\nReview comment:\n\n- [P1] Guard it — /w/a.ts:3-4\n  It may be null.\n";

function git(cwd: string, ...args: string[]): void {
  const who = { NAME: "a", EMAIL: "a@b" };
  const names = Object.entries(who).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: "1",
    ...Object.fromEntries(names),
  };
  execFileSync("git", args, { cwd, env });
}

/** A user in a clean repository with the branches `main` and `old`. */
async function inRepository(model: NonNullable<Parameters<typeof newUser>[0]["model"]>): Promise<User> {
  const user = await newUser({ model });
  await writeFile(path.join(user.folder, "a"), "a");
  git(user.folder, "init", "--quiet", "--template=", "-b", "main");
  git(user.folder, "add", ".");
  git(user.folder, "commit", "--quiet", "-m", "one");
  git(user.folder, "branch", "old");
  return user;
}

describe("the target of a review", () => {
  verifies(
    ["cli.review.target", "cli.exit-codes"],
    "is checked before a model is called",
    async () => {
      await using user = await inRepository([]);
      await mkdir(path.join(user.folder, "..", "plain"));
      const plain = path.join(user.folder, "..", "plain");
      for (const [args, exitCode, code] of [
        [["--base", "nosuch"], 3, "not_found"],
        [["--base", "--help"], 3, "not_found"],
        [["--commit", "0123456"], 3, "not_found"],
        [["--cwd", plain], 2, "not_a_repository"],
        [["--cwd", plain, "--base", "main"], 2, "not_a_repository"],
        [["--base", ""], 2, "usage"],
        [["--instructions", " "], 2, "usage"],
        [["--base", "main", "--uncommitted"], 2, "usage"],
      ] as const) {
        const run = await user.run(["review", "--json", ...args]);
        expect({ args, exitCode: run.exitCode }).toEqual({ args, exitCode });
        expect(await jsonLines(run.stdout)).toMatchObject([{ type: "error", code, exitCode }]);
      }
      expect(user.fake.requests).toEqual([]);
    },
    FAKE,
  );

  verifies(
    "cli.review.target",
    "without changes ends the review successfully, without a model and without a login",
    async () => {
      await using user = await inRepository([]);
      const schema = path.join(user.folder, "..", "schema.json");
      await writeFile(schema, "{}");
      const env = { CODEX_HOME: user.folder };
      for (const args of [[], ["--base", "old"]]) {
        const run = await user.run(["review", "--json", ...args], { env });
        expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode: 0, stderr: "" });
        expect(await jsonLines(run.stdout)).toMatchObject([
          { type: "result", status: "completed", findings: [] },
        ]);
      }
      const text = await user.run(["review"], { env });
      expect(text).toMatchObject({ exitCode: 0, stderr: "" });
      expect(text.stdout).toMatch(/^Nothing to review: .*\n$/);
      const data = await user.run(["review", "--output-schema", schema], { env });
      expect(data).toMatchObject({ exitCode: 0, stdout: "" });
      expect(user.fake.requests).toEqual([]);
    },
    FAKE,
  );
});

verifies(
  "cli.review.target",
  "instructions may come from stdin, which must not be empty",
  async () => {
    await using user = await newUser({ model: () => reply(JSON.stringify(ANSWER)) });
    const args = ["review", "--json", "--instructions", "-"];
    const none = await user.run(args, { stdin: " \n" });
    expect(none.exitCode).toBe(2);
    expect(await jsonLines(none.stdout)).toMatchObject([{ type: "error", code: "usage" }]);
    expect(user.fake.requests).toEqual([]);
    expect((await user.run(args, { stdin: "look for races\n" })).exitCode).toBe(0);
    expect(user.fake.requests[0]?.lastUserText).toContain("look for races");
  },
  FAKE,
);

verifies(
  ["cli.review", "cli.json"],
  "prints the review on stdout, and its findings as data",
  async () => {
    await using user = await inRepository(() => reply(JSON.stringify(ANSWER)));
    await writeFile(path.join(user.folder, "new"), "");
    const { stdout, stderr, exitCode } = await user.run(["review", "--base", "old"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: TEXT });
    expect(stderr).toContain("› Review the changes since old\n");
    expect(stderr).not.toContain("Guard it");
    const lines = await jsonLines((await user.run(["review", "--json"])).stdout);
    expect(lines.at(-1)).toMatchObject({ type: "result", text: TEXT.trim(), findings: [FOUND] });
  },
  FAKE,
);

verifies(
  "cli.review",
  "--output-schema converts the review on the same thread, and prints only the JSON",
  async () => {
    await using user = await inRepository([reply(JSON.stringify(ANSWER)), reply('{"count":1}')]);
    await writeFile(path.join(user.folder, "new"), "");
    await writeFile(
      path.join(user.folder, "schema.json"),
      '{"type":"object","properties":{"count":{"type":"number"}},"required":["count"]}',
    );
    const { stdout, exitCode } = await user.run(["review", "--output-schema", "schema.json"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{\n  "count": 1\n}\n' });
    expect(user.fake.requests).toHaveLength(2);
    expect(user.fake.requests[1]?.lastUserText).toContain("the review above");
  },
  FAKE,
);
