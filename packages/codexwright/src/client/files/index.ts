export {
  CodexFs,
  type CopyOptions,
  type CreateDirectoryOptions,
  type DirectoryEntry,
  type FileStat,
  type RemoveOptions,
} from "./fs.ts";
export { watch, type FileChange, type Watch, type WatchOptions } from "./watch.ts";
