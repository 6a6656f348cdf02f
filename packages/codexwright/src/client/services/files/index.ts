export {
  CodexFs,
  type CopyOptions,
  type CreateDirectoryOptions,
  type DirectoryEntry,
  type FileStat,
  type RemoveOptions,
} from "./fs.ts";
export { watch, type Watch, type WatchChange, type WatchOptions } from "./watch.ts";
