export { rolloutStore, type RolloutStoreOptions } from "./rollout-thread-store.ts";
