export { nodeFiles } from "./files.ts";
export { nodePlatform } from "./platform.ts";
