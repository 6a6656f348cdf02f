export { Files, type FileSystem } from "./file-system.ts";
export { FileNotFoundError, memoryFs, type MemoryFs, type MemorySnapshot } from "./memory-fs.ts";
export {
  provide,
  resource,
  type Provider,
  type Resource,
  type ResourceReader,
  type ResourceScope,
  type Snapshotable,
} from "./resource.ts";
export {
  ResourceFailedError,
  Resources,
  type CallResources,
  type ResourcesOptions,
  type ResourceTransaction,
} from "./resources.ts";
