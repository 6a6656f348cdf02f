// For our tests. This is not public API: any release may change it.
export * from "./cli.ts";
export * from "./domain.ts";
export * from "./fleet.ts";
export * from "./http.ts";
export * from "./jobs.ts";
export * from "./observe.ts";
export * from "./policy.ts";
export * from "./runner.ts";
export * from "./tick.ts";
export * from "./time.ts";
export * from "./tracker.ts";
export * from "./worker.ts";
export * from "./workflow.ts";
export * from "./workspace.ts";
