import { fakeTarget, scenarios } from "@codexwright/testing";
import { ConformanceRuns, conforms, WANTED } from "@codexwright/test-support/conformance";

for (const options of [
  { transport: "memory" },
  { transport: "websocket" },
  { transport: "unix" },
  { dialect: "0.98" },
] as const) {
  conforms("conformance.scenarios", new ConformanceRuns(fakeTarget(options), scenarios), "fake");
}

// A process for every client takes its time.
conforms("conformance.scenarios", new ConformanceRuns(fakeTarget({ transport: "stdio" }), WANTED), "fake");
