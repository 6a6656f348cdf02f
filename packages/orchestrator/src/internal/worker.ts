export type { TaskParts, WorkerOptions } from "../worker/options.ts";
export { endServer, identityOf, isAlive, markOf } from "../worker/processes.ts";
export { reap, RunFolder } from "../worker/run-folders.ts";
export { FENCE_MS, GUARD_MS, RunLease } from "../worker/run-lease.ts";
export { Spool } from "../worker/spool.ts";
export { Worker } from "../worker/worker.ts";
