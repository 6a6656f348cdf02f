export { CodexFs } from "./fs.ts";
export { watch, type Watch, type WatchChange, type WatchOptions } from "./watch.ts";
