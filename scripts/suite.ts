import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { CodexVersion } from "./codex-versions.ts";
import { bin, ROOT, type Step } from "./steps.ts";

/** The parts of the suite: `unit` needs only our code, `live` the real Codex, `browser` Chromium. */
export type Part = "unit" | "live" | "browser";

/** Debian's Chromium, installed if it is missing. On other systems CHROMIUM_PATH names one. */
export const CHROMIUM: Step = {
  name: "Chromium is there",
  alone: true,
  command: "sh",
  args: [
    "-c",
    '[ -x "${CHROMIUM_PATH:-/usr/bin/chromium}" ] || { apt-get update && apt-get install -y --no-install-recommends chromium; }',
  ],
};

/** The tests of the command run it in their own terminals. */
const TMUX: Step = {
  name: "tmux is there",
  alone: true,
  command: "sh",
  args: ["-c", "command -v tmux || { apt-get update && apt-get install -y --no-install-recommends tmux; }"],
};

/** The completions are tested in their shells. bash is always installed. */
const SHELLS: Step = {
  name: "zsh and fish are installed",
  alone: true,
  command: "sh",
  args: [
    "-c",
    "command -v zsh && command -v fish || { apt-get update && apt-get install -y --no-install-recommends zsh fish; }",
  ],
};

/** Installs a tool that sets the clock of one process for a fault drill. Without the tool, that drill is skipped. */
const FAKETIME: Step = {
  name: "faketime is there",
  alone: true,
  command: "sh",
  args: [
    "-c",
    "command -v faketime || { apt-get update && apt-get install -y --no-install-recommends faketime; }",
  ],
};

/** The engine's sandbox. On other systems than Debian, its tests use the program in Codex's package. */
const BUBBLEWRAP: Step = {
  name: "bubblewrap is there",
  alone: true,
  command: "sh",
  args: [
    "-c",
    "command -v bwrap || { apt-get update && apt-get install -y --no-install-recommends bubblewrap; }",
  ],
};

const CODEX: Step = {
  name: "every Codex version is installed",
  command: process.execPath,
  args: [path.join(ROOT, "build/scripts/install-codex.js")],
  alone: true,
};

/** The tools that tests need besides the installed packages. */
export const TOOLS: readonly Step[] = [TMUX, SHELLS, FAKETIME, BUBBLEWRAP, CODEX];

/** The time limit of a part: far more than a part takes, even on a machine that runs other work too. */
const LIMIT_MS = 1_800_000;

/**
 * For runs on other runtimes. Servers behave the same on every runtime. So all scenarios run on this runtime, and only
 * one scenario of each area runs on the others.
 */
const SAMPLED = { CODEXWRIGHT_CONFORMANCE: "sample" };

/** One part of the suite on one version of Node; with `folder`, only the files of that folder. */
export function onNode(part: Part, node: string = process.execPath, folder?: string): Step {
  return {
    name: `${part} tests on Node ${versionOf(node)}`,
    command: node,
    args: [
      path.join(ROOT, "node_modules/vitest/vitest.mjs"),
      "run",
      "--project",
      part,
      ...(folder === undefined ? [] : [folder]),
    ],
    limitMs: LIMIT_MS,
    leavesNothing: true,
    // The workers of this step keep the cores busy. A second part in parallel would slow down both.
    alone: true,
    ...(node !== process.execPath && { env: SAMPLED }),
  };
}

/** One part of the suite on Bun: the same files, in one process per core. */
export function onBun(part: "unit" | "live"): Step {
  return {
    name: `${part} tests on Bun`,
    command: bin("bun"),
    args: ["test", "--timeout=60000", "--parallel=2", "--no-isolate", `test/${part}/`],
    limitMs: LIMIT_MS,
    leavesNothing: true,
    alone: true,
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
    alone: true,
    env: { CODEXWRIGHT_CONFORMANCE: version },
  };
}

/**
 * The unit and live tests of one package on this Node, or an error if no package with tests has this name.
 */
export function ofPackage(name: string): Step[] | Error {
  const tested = readdirSync(path.join(ROOT, "packages")).filter((each) => partsOf(each).length > 0);
  if (tested.includes(name)) {
    return partsOf(name).map((part) => onNode(part, process.execPath, testsOf(name, part)));
  }
  return new Error(
    `There is no package "${name}" with tests. The packages with tests are: ${tested.join(", ")}.`,
  );
}

function partsOf(name: string): Part[] {
  return (["live", "unit"] as const).filter((part) => existsSync(path.join(ROOT, testsOf(name, part))));
}

function testsOf(name: string, part: Part): string {
  return `packages/${name}/test/${part}/`;
}

/**
 * Other Node versions are installed into folders that are named after the version:
 * `node@22.1.0/node_modules/node/bin/node`.
 */
function versionOf(node: string): string {
  if (node === process.execPath) return process.versions.node;
  return path.basename(path.resolve(node, "../../../..")).replace("node@", "");
}
