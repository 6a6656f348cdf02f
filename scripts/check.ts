import path from "node:path";
import { bin, ROOT, runSteps, type Step } from "./steps.ts";
import { onNode } from "./suite.ts";

/** Names the compiler by its path, because the documentation tools install another compiler with the same name. */
const compile = (name: string, ...args: string[]): Step => ({
  name,
  command: process.execPath,
  args: [path.join(ROOT, "node_modules/@typescript/native/bin/tsc"), ...args],
});

/** The checks that run no tests. */
export const CHECKS: readonly Step[] = [
  // The other steps read its output.
  { ...compile("build", "-b", "tsconfig.json", "examples", "scripts/api", "scripts/pictures"), alone: true },
  compile("the core without Node's types", "-p", "packages/codexwright/tsconfig.neutral.json"),
  compile("the engine's core without Node's types", "-p", "packages/engine/tsconfig.neutral.json"),
  compile("type tests", "-p", "tsconfig.test.json"),
  { name: "lint", command: bin("oxlint"), args: ["--type-aware", "--deny-warnings"] },
  { name: "format", command: bin("oxfmt"), args: ["--check", "."] },
  {
    name: "documentation site",
    command: process.execPath,
    args: ["build/scripts/docs/main.js"],
  },
  { name: "words", command: process.execPath, args: ["build/scripts/words/main.js"] },
  { name: "public names", command: process.execPath, args: ["build/scripts/api/main.js"] },
  { name: "dead code and phantom dependencies", command: bin("knip"), args: [] },
  { name: "dead code in production", command: bin("knip"), args: ["--production", "--strict"] },
  // This step writes the bundles again, which other steps read.
  { name: "supply chain", command: process.execPath, args: ["build/scripts/supply-chain.js"], alone: true },
  ...["codexwright", "engine", "testing", "gateway", "orchestrator", "cli"].map((name) => ({
    name: `packaging of ${name}`,
    command: bin("publint"),
    args: ["--strict", path.join(ROOT, "packages", name)],
  })),
];

if (import.meta.filename === process.argv[1]) await runSteps([...CHECKS, onNode("unit")]);
