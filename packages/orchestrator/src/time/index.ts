export { SYSTEM_CLOCK, within, type Clock } from "./clock.ts";
export { Loop, type LoopOptions } from "./loop.ts";
