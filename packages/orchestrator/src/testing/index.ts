export type { JobStore } from "../jobs/port.ts";
