/** Runs the CI job offline: a repository with a failing test, and the real Codex with a scripted model. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { applyPatch, realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { fixTests } from "./ci-fix/fix.ts";

const change = (from: string, to: string): ReturnType<typeof applyPatch> =>
  applyPatch(`*** Update File: sum.mjs\n@@\n-${from}\n+${to}`);
const [wrong, worse, right] = ["-", "*", "+"].map((sign) => `export const sum = (a, b) => a ${sign} b;`);
// The first fix is wrong: the tests fail again, and the model gets their output.
await using model = await scriptedModel([
  change(`${wrong}`, `${worse}`),
  reply("Fixed."),
  change(`${worse}`, `${right}`),
  reply("Now it is fixed."),
]);
await using server = await realAppServer({ model });
const { workspace: cwd } = server;
writeFileSync(path.join(cwd, "sum.mjs"), `${wrong}\n`);
writeFileSync(
  path.join(cwd, "test.mjs"),
  `import { sum } from "./sum.mjs";
if (sum(2, 3) !== 5) throw new Error("2 + 3 is " + sum(2, 3));
`,
);
const git = (...args: readonly string[]): Buffer => execFileSync("git", args, { cwd });
git("init", "--quiet");
git("add", "--all");
git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "sum");

const patchFile = path.join(server.root, "fix.patch");
const job = { cwd, test: [process.execPath, "test.mjs"], patchFile, env: server.clientOptions.env };
const limits = { totalTokens: 500_000, deadlineMs: 60_000 };
console.log(JSON.stringify(await fixTests({ ...job, ...limits })));
console.log(readFileSync(patchFile, "utf8").trimEnd());
console.log(JSON.stringify(await fixTests({ ...job, ...limits })));
