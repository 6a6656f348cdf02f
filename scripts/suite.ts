import path from "node:path";
import type { CodexVersion } from "./codex-versions.ts";
import { bin, ROOT, type Step } from "./steps.ts";

/** The parts of the suite: `unit` needs nothing but us, `live` the real Codex, `browser` Chromium. */
export type Part = "unit" | "live" | "browser";

/** Debian's, installed where it is missing; elsewhere CHROMIUM_PATH names one. */
export const CHROMIUM: Step = {
  name: "Chromium is there",
  command: "sh",
  args: [
    "-c",
    '[ -x "${CHROMIUM_PATH:-/usr/bin/chromium}" ] || { apt-get update && apt-get install -y --no-install-recommends chromium; }',
  ],
};

/** The command is tested in terminals of its own. */
export const TMUX: Step = {
  name: "tmux is there",
  command: "sh",
  args: ["-c", "command -v tmux || { apt-get update && apt-get install -y --no-install-recommends tmux; }"],
};

/** The completions are tested in the shells that they are for; bash is everywhere. */
export const SHELLS: Step = {
  name: "zsh and fish are there",
  command: "sh",
  args: [
    "-c",
    "command -v zsh && command -v fish || { apt-get update && apt-get install -y --no-install-recommends zsh fish; }",
  ],
};

/** Sets the clock of one process for a fault drill; without it that drill is not run. */
export const FAKETIME: Step = {
  name: "faketime is there",
  command: "sh",
  args: [
    "-c",
    "command -v faketime || { apt-get update && apt-get install -y --no-install-recommends faketime; }",
  ],
};

/** Far more than a part takes on a machine that others use too. */
const LIMIT_MS = 1_800_000;

/** What servers do is the same on every runtime: all scenarios are run on this one, on others one of each area. */
const SAMPLED = { CODEXWRIGHT_CONFORMANCE: "sample" };

/** One part of the suite on a Node. */
export function onNode(part: Part, node: string = process.execPath): Step {
  return {
    name: `${part} tests on Node ${versionOf(node)}`,
    command: node,
    args: [path.join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--project", part],
    limitMs: LIMIT_MS,
    leavesNothing: true,
    ...(node !== process.execPath && { env: SAMPLED }),
  };
}

/** One part of the suite on Bun; the same files. */
export function onBun(part: Part): Step {
  // For what hangs: a loaded machine must not fail what is only slow.
  const timeoutMs = 60_000;
  return {
    name: `${part} tests on Bun`,
    command: bin("bun"),
    args: ["test", `--timeout=${timeoutMs}`, `test/${part}/`],
    limitMs: LIMIT_MS,
    leavesNothing: true,
    env: SAMPLED,
  };
}

/** Every scenario on the real Codex of one version. */
export function onCodex(version: CodexVersion): Step {
  return {
    name: `scenarios on Codex ${version}`,
    command: process.execPath,
    args: [
      path.join(ROOT, "node_modules/vitest/vitest.mjs"),
      "run",
      "--project",
      "live",
      "packages/codexwright/test/live/conformance.test.ts",
    ],
    limitMs: LIMIT_MS,
    leavesNothing: true,
    env: { CODEXWRIGHT_CONFORMANCE: version },
  };
}

/** Other Nodes are installed into folders named after them: `node@22.1.0/node_modules/node/bin/node`. */
function versionOf(node: string): string {
  if (node === process.execPath) return process.versions.node;
  return path.basename(path.resolve(node, "../../../..")).replace("node@", "");
}
