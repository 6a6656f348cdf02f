import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { CodexVersion } from "./codex-versions.ts";
import { installCached } from "./install-cached.ts";
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

/** A database server without a cluster: the tests of the orchestrator make their own, in a temporary folder. */
const POSTGRESQL: Step = {
  name: "PostgreSQL is installed",
  alone: true,
  command: "sh",
  args: [
    "-c",
    `ls /usr/lib/postgresql/*/bin/postgres || {
      apt-get update && apt-get install -y --no-install-recommends postgresql-common &&
      sed -i 's/^#*create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf &&
      apt-get install -y --no-install-recommends postgresql
    }`,
  ],
};

const CODEX: Step = {
  name: "every Codex version is installed",
  command: process.execPath,
  args: [path.join(ROOT, "build/scripts/install-codex.js")],
  alone: true,
};

/** The tools that tests need besides the installed packages. */
export const TOOLS: readonly Step[] = [TMUX, SHELLS, FAKETIME, BUBBLEWRAP, POSTGRESQL, CODEX];

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

/** The oldest line of Node that the orchestrator supports. */
export const FLEET_NODE = "22.23.3";

/** A Node that can run the orchestrator: this one, or one that is installed for it. Then `isOld` is called first. */
export async function fleetNode(isOld: () => void = () => {}): Promise<string> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 15)) return process.execPath;
  isOld();
  return path.join(await installCached("node", FLEET_NODE), "node_modules/node/bin/node");
}

/** The tests of the orchestrator, if this Node is too old for them. On a newer Node they run with all others. */
export async function fleetParts(): Promise<Step[]> {
  const node = await fleetNode();
  if (node === process.execPath) return [];
  return [
    onNode("unit", node, testsOf("orchestrator", "unit")),
    onNode("live", node, testsOf("orchestrator", "live")),
  ];
}

/** One part of the suite on Bun: the same files, in one process per core. */
export function onBun(part: "unit" | "live"): Step {
  return {
    name: `${part} tests on Bun`,
    command: bin("bun"),
    args: ["test", "--timeout=60000", "--parallel=2", "--no-isolate", ...foldersOnBun(part)],
    limitMs: LIMIT_MS,
    leavesNothing: true,
    alone: true,
    env: SAMPLED,
  };
}

/** The orchestrator is for Node only: its database driver is not made for Bun. A path that begins with "./" is exact. */
function foldersOnBun(part: Part): string[] {
  const packages = readdirSync(path.join(ROOT, "packages")).filter(
    (name) => name !== "orchestrator" && partsOf(name).includes(part),
  );
  return [...packages.map((name) => `./${testsOf(name, part)}`), `./test/${part}/`];
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
export async function ofPackage(name: string): Promise<Step[] | Error> {
  const tested = readdirSync(path.join(ROOT, "packages")).filter((each) => partsOf(each).length > 0);
  if (tested.includes(name)) {
    const node = name === "orchestrator" ? await fleetNode() : process.execPath;
    return partsOf(name).map((part) => onNode(part, node, testsOf(name, part)));
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
