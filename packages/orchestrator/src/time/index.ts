export { SYSTEM_CLOCK, within, type Clock } from "./clock.ts";
export { Loop } from "./loop.ts";
