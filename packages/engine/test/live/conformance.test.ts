import { engineTarget } from "@codexwright/test-support/engine-target";
import { ConformanceRuns, conforms } from "@codexwright/test-support/conformance";

for (const transport of ["memory", "websocket", "unix"] as const) {
  conforms("engine.ways.conformance", new ConformanceRuns(engineTarget({ transport })), "none");
}
