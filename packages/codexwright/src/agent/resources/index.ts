export { Files, type FileSystem } from "./file-system.ts";
export { FileNotFoundError, memoryFs, type MemoryFs, type MemorySnapshot } from "./memory-fs.ts";
export {
  provide,
  resource,
  type ProvideOptions,
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
  type Hold,
  type ResourcesOptions,
} from "./resources.ts";
