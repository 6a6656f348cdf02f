export { rolloutStore, type RolloutStoreOptions } from "./rollout-thread-store.ts";
export { sqliteStore, type SqliteStoreOptions, type SqliteThreadStore } from "./sqlite-thread-store.ts";
