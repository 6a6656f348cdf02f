export { compareRuns } from "./compare.ts";
export { ExpectationError } from "./expect.ts";
export { fakeTarget, type FakeTargetOptions } from "./fake-target.ts";
export { scenarios } from "./list.ts";
export { RawChannel } from "./raw.ts";
export { realTarget, type RealTargetOptions } from "./real-target.ts";
export { runScenario, unsupportedReason, type RunScenarioOptions } from "./run.ts";
export type {
  ConformanceServer,
  ConformanceTarget,
  Scenario,
  ScenarioMcpTool,
  ScenarioModel,
  ScenarioModelTool,
  ScenarioNeeds,
  ScenarioResult,
  ScenarioRun,
  ScenarioSetup,
  TargetTransport,
  World,
  WorldClientOptions,
} from "./scenario.ts";
