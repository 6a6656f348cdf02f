import { engineTarget } from "@codexwright/test-support/engine-target";
import { ConformanceRuns, conforms } from "@codexwright/test-support/conformance";

conforms("engine.ways.conformance", new ConformanceRuns(engineTarget()), "fake");
