export type * from "../runner/port.ts";
export { RunStop } from "../runner/stop.ts";
