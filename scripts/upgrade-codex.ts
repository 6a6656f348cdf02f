// Moves the repository to another Codex version, as far as a script can, and prints the remaining manual steps.
//
//   node build/scripts/upgrade-codex.js 0.167.0             changes the files node build/scripts/upgrade-codex.js
// 0.167.0 --dry-run   prints the same and changes nothing
//
// `npm run upgrade-codex -- <version>` builds first. Before it writes anything, the script runs both versions and reads
// their protocols. So if a version does not work, the repository stays unchanged.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CODEX_VERSIONS, PINNED_CODEX } from "./codex-versions.ts";
import { codexBinary } from "./install-cached.ts";
import { summarize } from "./protocol/history.ts";
import { generateSurfaces, pinnedCodex } from "./protocol/run-codex.ts";
import { ROOT } from "./steps.ts";
import { differencesOf, printDifferences, type Protocol } from "./upgrade/differences.ts";
import { edited, EDITED, short, type Move } from "./upgrade/edits.ts";
import { nextSteps } from "./upgrade/next-steps.ts";
import { checkPublished } from "./upgrade/registry.ts";
import { readTarget, UpgradeError } from "./upgrade/target.ts";

async function main(args: readonly string[]): Promise<void> {
  const { version, dryRun } = readTarget(args);
  const pinned = await pinnedCodex();
  if (pinned.version !== PINNED_CODEX)
    throw new UpgradeError(
      `Codex ${pinned.version} is installed, but scripts/codex-versions.ts pins ${PINNED_CODEX}: run npm install, or undo an incomplete upgrade.`,
    );
  if (version === PINNED_CODEX) {
    console.log(`The repository already uses Codex ${version}.`);
    return;
  }
  await checkPublished(version);
  const differences = differencesOf(
    await protocolOf(pinned.version, pinned.binary),
    await protocolOf(version, await codexBinary(version)),
  );
  console.log(printDifferences(differences));

  const move: Move = { versions: CODEX_VERSIONS, from: PINNED_CODEX, to: version };
  const texts = new Map(
    EDITED.map((file) => [file, edited(file, readFileSync(path.join(ROOT, file), "utf8"), move)]),
  );
  const changed = [...texts].filter(([file, text]) => readFileSync(path.join(ROOT, file), "utf8") !== text);
  console.log(
    `\n${dryRun ? "Would change" : "Changes"} package.json and package-lock.json, and these files:`,
  );
  for (const [file] of changed) console.log(`  ${file}`);
  const mentions = filesWith(short(PINNED_CODEX)).filter(
    (file) => texts.get(file)?.includes(short(PINNED_CODEX)) ?? true,
  );
  console.log("\nLeft to do:");
  for (const [at, step] of nextSteps(differences, mentions).entries()) console.log(`${at + 1}. ${step}`);

  if (!dryRun) {
    for (const [file, text] of changed) writeFileSync(path.join(ROOT, file), text);
    run("npm", ["install", "--save-exact", "--no-audit", "--no-fund", `@openai/codex@${version}`]);
    // Run these in new processes, because this process has already loaded the old package.
    run(process.execPath, ["build/scripts/generate-protocol.js"]);
    run(process.execPath, ["build/scripts/docs/snippets.js"]);
  }
}

async function protocolOf(version: string, binary: string): Promise<Protocol> {
  const { stable, experimental } = await generateSurfaces(binary);
  return { summary: summarize(version, stable, experimental), surface: experimental };
}

/** Hand-written files of the repository that contain a text. */
function filesWith(text: string): string[] {
  const made = ["package.json", "package-lock.json", "*.gen.ts", "scripts/protocol/history"];
  const excluded = made.map((pattern) => `:(exclude)${pattern}`);
  try {
    const args = ["grep", "--fixed-strings", "--files-with-matches", text, "--", ".", ...excluded];
    return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
  } catch (error) {
    // git grep exits with 1 if it finds no match.
    if ((error as { readonly status?: number }).status === 1) return [];
    throw error;
  }
}

/** Runs a program that prints its own errors. */
function run(command: string, args: readonly string[]): void {
  try {
    execFileSync(command, args, { cwd: ROOT, stdio: "inherit", shell: process.platform === "win32" });
  } catch (cause) {
    const program = path.basename(command);
    throw new UpgradeError(
      `\`${program} ${args.join(" ")}\` failed. The files above are already changed: correct the reported problem and run it again, or undo the upgrade (CONTRIBUTING.md).`,
      { cause },
    );
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UpgradeError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
