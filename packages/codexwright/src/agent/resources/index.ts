export { Files, type FileSystem } from "./file-system.ts";
export { FileNotFoundError, memoryFs, type MemoryFs } from "./memory-fs.ts";
export { provide, resource, type Provider, type Resource, type Snapshotable } from "./resource.ts";
export { ResourceFailedError, Resources } from "./resources.ts";
