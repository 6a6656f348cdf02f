import { ConformanceRuns, conforms, oneOfEachArea } from "@codexwright/test-support/conformance";
import { commandTarget, engineTarget } from "@codexwright/test-support/engine-target";

for (const transport of ["memory", "websocket", "unix"] as const) {
  conforms("engine.ways.conformance", new ConformanceRuns(engineTarget({ transport })), "none");
}

// Starting a process for each scenario is slow. CODEXWRIGHT_ENGINE=all runs all scenarios.
const all = process.env["CODEXWRIGHT_ENGINE"] === "all";
for (const transport of all ? (["stdio", "websocket", "unix"] as const) : (["stdio"] as const)) {
  const target = commandTarget(transport);
  const runs = all ? new ConformanceRuns(target) : new ConformanceRuns(target, oneOfEachArea());
  conforms("engine.ways.conformance", runs, "none");
}
