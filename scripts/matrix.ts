import path from "node:path";
import { CODEX_VERSIONS, PINNED_CODEX } from "./codex-versions.ts";
import { installCached } from "./install-cached.ts";
import { runSteps, type Step } from "./steps.ts";
import { FLEET_NODE, onBun, onCodex, onNode, TOOLS } from "./suite.ts";

/** The newest releases of the Node lines that we support. */
const NODES = ["20.20.2", "22.23.3", "24.21.0"];

/** For a run right after `npm test`, which has already tested this Node and the pinned Codex. */
const skipTested = process.argv.includes("--skip-tested");

const steps: Step[] = [...TOOLS];
for (const version of NODES) {
  if (skipTested && version.split(".")[0] === process.versions.node.split(".")[0]) continue;
  const node = path.join(await installCached("node", version), "node_modules/node/bin/node");
  // `npm test` has tested the orchestrator on this version, if the present Node is too old for it.
  const isTested = skipTested && version === FLEET_NODE;
  for (const part of ["unit", "live"] as const) {
    const step = onNode(part, node);
    steps.push(isTested ? { ...step, env: { ...step.env, CODEXWRIGHT_FLEET: "no" } } : step);
  }
}
steps.push(onBun("unit"), onBun("live"));
for (const version of CODEX_VERSIONS) {
  if (!(skipTested && version === PINNED_CODEX)) steps.push(onCodex(version));
}
await runSteps(steps);
