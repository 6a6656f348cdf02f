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

// Starting a process for every client is slow.
conforms("conformance.scenarios", new ConformanceRuns(fakeTarget({ transport: "stdio" }), WANTED), "fake");
