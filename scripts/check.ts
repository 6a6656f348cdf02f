import path from "node:path";
import { bin, ROOT, runSteps, type Step } from "./steps.ts";
import { onBun, onNode } from "./suite.ts";

const library = path.join(ROOT, "packages/codexwright");
const command = path.join(ROOT, "packages/cli");
/** The compiler by its own path: the documentation's tools bring another one of the same name. */
const compile = (name: string, ...args: string[]): Step => ({
  name,
  command: process.execPath,
  args: [path.join(ROOT, "node_modules/@typescript/native/bin/tsc"), ...args],
});

/** Everything that needs no real server. */
export const CHECKS: readonly Step[] = [
  compile("build", "-b", "tsconfig.json", "examples"),
  compile("the core without Node's types", "-p", "packages/codexwright/tsconfig.neutral.json"),
  compile("the engine's core without Node's types", "-p", "packages/engine/tsconfig.neutral.json"),
  compile("type tests", "-p", "tsconfig.test.json"),
  { name: "lint", command: bin("oxlint"), args: ["--type-aware", "--deny-warnings"] },
  { name: "format", command: bin("oxfmt"), args: ["--check", "."] },
  {
    name: "protocol drift",
    command: process.execPath,
    args: ["build/scripts/generate-protocol.js", "--check"],
  },
  {
    name: "API reference",
    command: process.execPath,
    args: ["build/scripts/reference.js", "--check"],
  },
  onNode("unit"),
  onBun("unit"),
  { name: "dead code and phantom dependencies", command: bin("knip"), args: [] },
  { name: "dead code in production", command: bin("knip"), args: ["--production", "--strict"] },
  { name: "supply chain", command: process.execPath, args: ["build/scripts/supply-chain.js"] },
  { name: "packaging", command: bin("publint"), args: ["--strict", library] },
  { name: "packaging of the command", command: bin("publint"), args: ["--strict", command] },
];

if (import.meta.filename === process.argv[1]) await runSteps(CHECKS);
