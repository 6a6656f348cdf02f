import path from "node:path";
import { bin, ROOT, runSteps, type Step } from "./steps.ts";
import { onBun, onNode } from "./suite.ts";

const library = path.join(ROOT, "packages/codexwright");
const tsc = (name: string, project: string): Step => ({ name, command: bin("tsc"), args: ["-p", project] });

/** Everything that needs no real server. */
export const CHECKS: readonly Step[] = [
  { name: "build", command: bin("tsc"), args: ["-b", "tsconfig.json", "examples"] },
  tsc("the core without Node's types", "packages/codexwright/tsconfig.neutral.json"),
  tsc("type tests", "tsconfig.test.json"),
  { name: "lint", command: bin("oxlint"), args: ["--type-aware", "--deny-warnings"] },
  { name: "format", command: bin("oxfmt"), args: ["--check", "."] },
  {
    name: "protocol drift",
    command: process.execPath,
    args: ["build/scripts/generate-protocol.js", "--check"],
  },
  onNode("unit"),
  onBun("unit"),
  { name: "dead code and phantom dependencies", command: bin("knip"), args: [] },
  { name: "dead code in production", command: bin("knip"), args: ["--production", "--strict"] },
  { name: "packaging", command: bin("publint"), args: ["--strict", library] },
];

if (import.meta.filename === process.argv[1]) await runSteps(CHECKS);
