export type { ServerEvent } from "./events.ts";
export type {
  ClientNotifications,
  ClientRequests,
  ServerNotifications,
  ServerRequests,
} from "./methods.gen.ts";
export type { NoParams, Unknown } from "./open.ts";
export { METHODS, REMOVED_METHODS, SAMPLED_VERSIONS } from "./table.gen.ts";
// The only export without a list of names: the protocol decides which types exist.
export type * from "./types.gen.ts";
export { atLeast } from "./release.ts";
export { CODEX_VERSION } from "./version.gen.ts";
