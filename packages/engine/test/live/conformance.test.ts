import { ConformanceRuns, conforms } from "@codexwright/test-support/conformance";
import { commandTarget, engineTarget } from "@codexwright/test-support/engine-target";

for (const transport of ["memory", "websocket", "unix"] as const) {
  conforms("engine.ways.conformance", new ConformanceRuns(engineTarget({ transport })), "none");
}

// The command listens with the code of the targets above. CODEXWRIGHT_ENGINE=all runs all scenarios on its sockets, too.
const all = process.env["CODEXWRIGHT_ENGINE"] === "all";
for (const transport of all ? (["stdio", "websocket", "unix"] as const) : (["stdio"] as const)) {
  conforms("engine.ways.conformance", new ConformanceRuns(commandTarget(transport)), "none");
}
