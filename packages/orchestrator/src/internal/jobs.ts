export type * from "../domain/claim.ts";
export type * from "../domain/events.ts";
export type * from "../domain/outcome.ts";
export type * from "../domain/snapshot.ts";
export { decodeText, encodeText } from "../jobs/database/codec.ts";
export { FolderLock } from "../jobs/embedded/lock.ts";
export { openEmbedded, openPostgres } from "../jobs/open.ts";
export type * from "../jobs/port.ts";
