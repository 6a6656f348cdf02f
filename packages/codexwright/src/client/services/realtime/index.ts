export type { RealtimeEvent } from "./events.ts";
export type { RealtimeOptions, RealtimeTextOptions } from "./options.ts";
export { openRealtime, type Realtime } from "./realtime.ts";
