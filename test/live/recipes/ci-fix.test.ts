import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { expect } from "vitest";
import { fixTests } from "../../../examples/recipes/ci-fix/fix.ts";
import { emptyHome, expectAsShown } from "./offline.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../../examples/recipes/ci-fix");
const FAILING = ["sh", "-c", "echo broken; exit 1"];

verifies(
  "docs.recipes",
  "ci-fix: asks the model to continue until the tests pass, and writes a patch",
  async () => {
    await expectAsShown("ci-fix");
  },
  PINNED,
);

verifies(
  "docs.recipes",
  "ci-fix: exits with code 5 if the budget is exceeded, and writes the patch so far",
  async () => {
    await using model = await scriptedModel(() => reply("Fixed."));
    await using server = await realAppServer({ model });
    execFileSync("git", ["init", "--quiet"], { cwd: server.workspace });
    const patchFile = path.join(server.root, "fix.patch");
    const job = { cwd: server.workspace, test: FAILING, patchFile, env: server.clientOptions.env };
    expect(await fixTests({ ...job, totalTokens: 1, deadlineMs: 60_000 })).toEqual({
      status: "limit",
      exitCode: 5,
      code: "budget_exceeded",
    });
    expect(existsSync(patchFile)).toBe(true);
    expect(model.requests[0]?.lastUserText).toContain("broken");
  },
  PINNED,
);

verifies(
  "docs.recipes",
  "ci-fix: exits with code 4 and a message if Codex is not logged in",
  async () => {
    using home = emptyHome();
    const job = { cwd: home.dir, test: FAILING, patchFile: path.join(home.dir, "fix.patch"), env: home.env };
    const report = await fixTests({ ...job, totalTokens: 1000, deadlineMs: 60_000 });
    expect(report).toEqual({ status: "not_logged_in", exitCode: 4 });
  },
  PINNED,
);

verifies(
  "docs.recipes",
  "ci-fix: the shell form passes the key only through stdin, and has the same exit code as the program",
  () => {
    using home = emptyHome();
    mkdirSync(path.join(home.dir, "ci"));
    mkdirSync(path.join(home.dir, "bin"));
    writeFileSync(
      path.join(home.dir, "ci/main.js"),
      "console.log(JSON.stringify({ key: process.env.OPENAI_API_KEY, args: process.argv.slice(2) })); process.exitCode = 5;",
    );
    const npx = path.join(home.dir, "bin/npx");
    writeFileSync(npx, '#!/bin/sh\necho "$@" > args; cat > key\n');
    chmodSync(npx, 0o755);
    const env = {
      PATH: `${path.dirname(npx)}:${path.dirname(process.execPath)}:${process.env["PATH"]}`,
      OPENAI_API_KEY: "sk-of-the-test",
    };
    let status: unknown;
    try {
      execFileSync("sh", [path.join(FOLDER, "fix.sh"), "out", "npm", "test"], { cwd: home.dir, env });
    } catch (error) {
      ({ status } = error as { status?: number });
    }
    const read = (file: string): string => readFileSync(path.join(home.dir, file), "utf8");
    expect(status).toBe(5);
    expect(JSON.parse(read("out/report.json"))).toEqual({ args: ["out", "npm", "test"] });
    expect([read("args"), read("key")]).toEqual(["codex login --with-api-key\n", "sk-of-the-test\n"]);
    expect(readFileSync(path.join(FOLDER, "fix.yml"), "utf8")).toContain("sh ci/fix.sh");
  },
  { skip: onWindows },
);
