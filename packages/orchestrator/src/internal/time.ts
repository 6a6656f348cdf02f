export { Loop, SYSTEM_CLOCK, within, type Clock } from "../time/index.ts";
