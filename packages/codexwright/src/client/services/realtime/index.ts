export type { RealtimeEvent } from "./events.ts";
export type { RealtimeOptions } from "./options.ts";
export { openRealtime, type Realtime } from "./realtime.ts";
